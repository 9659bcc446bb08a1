// Foreign text (file names, keys, values, a child's output) made safe for a terminal and a report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope {

// Valid UTF-8 of one line: control characters, bidirectional controls, invisible characters and
// invalid bytes become escapes such as \n, \x1b or \u202e; what is longer than `longest`
// characters ends in "…".
std::string printable(std::string_view foreign, std::size_t longest = 200);

}  // namespace rope
