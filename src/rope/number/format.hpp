// Number formats that implementations store and compute in, and correct rounding to them.
#pragma once

#include <string_view>

namespace rope {

enum class Format { float64, float32, tf32, bfloat16, float16 };

std::string_view to_string(Format format);

// Significant bits: 53, 24, 11, 8, 11.
int precision_bits(Format format);

// Exponent of the smallest normal number: -1022, -126, -126, -126, -14.
int smallest_exponent(Format format);

// 2^-p: half the spacing of the format's numbers in [1, 2).  (2^-24 for float32)
double unit_roundoff(Format format);

// Half the spacing of the format's numbers just below the power of two at or above `magnitude`.
double half_spacing(Format format, double magnitude);

// x rounded once to the format, to nearest, ties to even; subnormals and overflow as IEEE 754.
double round_to(Format format, double x);

// Ways to round: IEEE 754's default, and others that processors and libraries have.
enum class RoundingMode { nearest_even, nearest_away, toward_zero };

// As above in that mode, without overflow.
double round_to(Format format, double x, RoundingMode mode);

}  // namespace rope
