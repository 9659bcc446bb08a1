// Numbers as people type them on a command line, read strictly and without a locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

// Digits only: no sign, no leading zero, no hex, no exponent. `field` names the number in messages.
// Throws InputError: --dim: '010' is not a whole number from 2 to 65536
std::uint64_t parse_whole(std::string_view field, std::string_view text, std::uint64_t least,
                          std::uint64_t most);

// A finite decimal such as 500000, 1e6, 0.25 or -2; range is the caller's business.
// Throws InputError: --base: 'nan' is not a number such as 10000, 1e6 or 0.25
double parse_real(std::string_view field, std::string_view text);

// The parts of "1,2,3"; empty ones between adjacent commas.
std::vector<std::string> split_list(const std::string& text);

}  // namespace rope::io
