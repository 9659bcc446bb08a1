// What sets one binary format apart from another.
#pragma once

#include "rope/number/format.hpp"

namespace rope {

// Numbers of p = significand_bits, the first of them implied, and normal from
// 2^smallest_exponent to below 2^(2 − smallest_exponent).
struct FormatShape {
    const char* name;
    int significand_bits;
    int smallest_exponent;
};

inline constexpr FormatShape format_shapes[] = {
    {"float64", 53, -1022}, {"float32", 24, -126}, {"tf32", 11, -126},
    {"bfloat16", 8, -126},  {"float16", 11, -14},
};

template <Format format>
inline constexpr FormatShape shape_of = format_shapes[static_cast<int>(format)];

}  // namespace rope
