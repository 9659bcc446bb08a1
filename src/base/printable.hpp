// Makes untrusted text (file names, keys, values, a child's output) safe for terminals, reports,
// figures and tables. All writers escape the same characters: C0 and C1 controls, bidirectional
// controls, invisible characters, and bytes that are not UTF-8.
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

// Returns printable() of the whole text, which XML 1.0 §2.2 allows, with entities for &, <, > and
// the quotes.
std::string xml_escape(std::string_view foreign, std::string_view quotes = "\"'");

// Returns printable() of the whole text in quotes, as a cell of RFC 4180. A spreadsheet runs a cell
// that starts with =, +, - or @ as a formula; such a cell gets an apostrophe in front.
std::string csv_cell(std::string_view foreign);

}  // namespace rope
