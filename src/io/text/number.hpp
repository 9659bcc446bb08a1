// Numbers and sizes as typed and printed, with '.' in every locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.hpp"

namespace rope::io {

// Parses digits, with K, M, G or T for powers of 1024: no sign, leading zero, hex or exponent.
// `field` names the number in messages. Throws InputError: --dim: '010' is not a whole number from
// 2 to 65536
std::uint64_t parse_whole(std::string_view field, std::string_view text, std::uint64_t least,
                          std::uint64_t most);

// Parses a finite decimal such as 500000, 1e6, 0.25 or -2; the caller checks its range. Throws
// InputError: --base: 'nan' is not a number such as 10000 or 1e6
double parse_real(std::string_view field, std::string_view text);

// Returns the parts of "1,2,3", empty ones between adjacent commas.
std::vector<std::string> split_list(const std::string& text, char separator = ',');

std::string plain(double x);                    // parses to the same number: 500000, 0.25, 1e-09
std::string significant(double x, int digits);  // 0.99999939
std::string brief(double x);                    // two digits: 2.0, 0.25, 3.9e-3
std::string hexfloat(double x);                 // 0x1.ffffeb9f27312p-1
using rope::grouped;                            // counts: 17,179,869,184
std::string position_text(double position);     // 130,928; decimal() if it is not whole

// "512 bytes", "1.5 GiB": two digits or more, rounded up.
std::string byte_count(std::uint64_t bytes);

}  // namespace rope::io
