// Foreign text (file names, keys, values, a child's output) made safe for a terminal, a report and
// a figure. Every writer escapes the same characters: controls of C0 and C1, bidirectional
// controls, what is invisible, and bytes that are not UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope {

// Valid UTF-8 of one line, with escapes such as \n, \x1b or \u202e; what is longer than `longest`
// characters ends in "…". What is printable already stays as it is.
std::string printable(std::string_view foreign, std::size_t longest = 200);

// A JSON document that means the same: those characters as \u009b or \u202e. Its own line ends
// stay.
std::string printable_json(std::string_view json);

}  // namespace rope
