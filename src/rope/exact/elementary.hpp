// Elementary functions with the same bits on every processor. Those of a C library differ in the
// last bits between versions, and between processors with and without fused multiply-add.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace rope::portable {

// Both are correctly rounded.
double exp(double x);
double pow(double x, double y);

// Error < 1 ulp.
double log(double x);

// Error < 2 ulp. atan2 requires finite arguments.
double atan2(double y, double x);
double hypot(double x, double y);

}  // namespace rope::portable

namespace rope {

inline constexpr double full_turn = 2 * std::numbers::pi;  // radians

// Returns half of a finite angle in radians, as a 64-bit fraction of a turn for cos_sin_of_turns.
inline std::uint64_t turn_of_half(double angle) {
    const double half = std::remainder(angle, full_turn) / (2 * full_turn);  // in turns, within ¼
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(half * 0x1p64));
}
// Returns a finite angle in radians, as a 64-bit fraction of a turn.
inline std::uint64_t turn_of(double angle) { return turn_of_half(angle) << 1; }

}  // namespace rope
