// Elementary functions with the same bits on every processor: a C library's own differ in the last
// bits with its version and with the processor's fused products.
#pragma once

#include <cmath>
#include <cstdint>
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

// Half of a finite angle in radians, in 2^-64 of a turn: cos_sin_of_turns takes it.
inline std::uint64_t turn_of_half(double angle) {
    const double half = std::remainder(angle, full_turn) / (2 * full_turn);  // in turns, within ¼
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(half * 0x1p64));
}
// A finite angle, likewise.
inline std::uint64_t turn_of(double angle) { return turn_of_half(angle) << 1; }

}  // namespace rope
