// Number formats of stored and computed values, and correct rounding to them.
#pragma once

#include <string_view>

namespace rope {

enum class Format { float64, float32, tf32, bfloat16, float16 };

std::string_view to_string(Format format);

// Returns the number of significant bits: 53, 24, 11, 8, 11.
int precision_bits(Format format);

// Returns the exponent of the smallest normal number: -1022, -126, -126, -126, -14.
int smallest_exponent(Format format);

// Returns 2^-p, half the spacing of the format's numbers in [1, 2), e.g. 2^-24 for float32.
double unit_roundoff(Format format);

// Returns half the spacing just below the least power of two that is at least `magnitude`.
double half_spacing(Format format, double magnitude);

// Returns x rounded once to nearest, ties to even; subnormals and overflow as in IEEE 754.
double round_to(Format format, double x);

// IEEE 754's default rounding mode and two that some processors and libraries use.
enum class RoundingMode { nearest_even, nearest_away, toward_zero };

// Returns x rounded in the given mode, without overflow.
double round_to(Format format, double x, RoundingMode mode);

}  // namespace rope
