// Elementary functions with the same bits on every processor: a C library's own differ in the last
// bits with its version and with the processor's fused products.
#pragma once

#include <numbers>

namespace rope::portable {

// Correctly rounded.
double exp(double x);
double pow(double x, double y);

// Within an ulp.
double log(double x);

// Within 2 ulp. atan2 is for finite numbers.
double atan2(double y, double x);
double hypot(double x, double y);

}  // namespace rope::portable

namespace rope {

inline constexpr double full_turn = 2 * std::numbers::pi;  // radians

}  // namespace rope
