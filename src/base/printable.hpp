// Makes untrusted text (file names, keys, values, a child's output) safe for terminals, reports and
// figures. All writers escape the same characters: C0 and C1 controls, bidirectional controls,
// invisible characters, and bytes that are not UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope {

// Returns valid UTF-8 on one line with escapes such as \n, \x1b or \u202e. A text of more than
// `longest` characters is cut and ends in "…". Printable text is returned unchanged.
std::string printable(std::string_view foreign, std::size_t longest = 200);

// Returns an equivalent JSON document with the unsafe characters written as \u009b or \u202e. Line
// ends outside of strings are kept.
std::string printable_json(std::string_view json);

}  // namespace rope
