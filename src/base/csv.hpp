// Untrusted text as a cell of a CSV file (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace rope {

// Returns printable() of the whole text in quotes. A spreadsheet runs a cell that starts with =, +,
// - or @ as a formula; such a cell gets an apostrophe in front.
std::string csv_cell(std::string_view foreign);

}  // namespace rope
