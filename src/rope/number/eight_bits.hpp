// Values that were quantised to 8 bits and are stored in a wider format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/number/element.hpp"

namespace rope {

struct EightBits {
    std::string_view format;  // "float8_e4m3", "float8_e5m2" or "int8"
    bool is_scaled = false;   // times a scale that is no power of two

    bool operator==(const EightBits&) const = default;
};

// float8 if every value is one of its numbers, or each times one scale of all; int8 if the values
// of each row are whole multiples of 1/127 of their largest, or all of one scale. Scaled values may
// be rounded to bfloat16 or float16. None where too few values tell: zeros and powers of two are
// numbers of every format.
std::optional<EightBits> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                       std::uint64_t columns);

}  // namespace rope
