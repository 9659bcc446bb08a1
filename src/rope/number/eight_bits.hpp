// Values that were quantised to 8 bits and are stored in a wider format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/number/element.hpp"

namespace rope {

// "float8_e4m3" or "float8_e5m2" if every value is one of its numbers, and "int8" if those of each
// row are whole multiples of 1/127 of their largest. None where too few values tell: zeros
// and powers of two are numbers of every format.
std::optional<std::string_view> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                              std::uint64_t columns);

}  // namespace rope
