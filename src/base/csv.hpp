// Foreign text inside a CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace rope {

// What printable() makes of it, of any length, between quotes. A spreadsheet runs a cell that
// starts with = + - or @: those get an apostrophe before them.
std::string csv_cell(std::string_view foreign);

}  // namespace rope
