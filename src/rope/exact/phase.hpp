// Exact angles as 128-bit fixed-point fractions of a turn.
//
// Phases are integers modulo 2^128: wrap-around is the argument reduction, and the
// relative-position property is an identity without any rounding:
//     P·n − P·m = P·(n − m)
#pragma once

#include <cstdint>
#include <optional>

#include "rope/exact/big_real.hpp"
#include "rope/exact/format.hpp"

namespace rope {

__extension__ using Phase = unsigned __int128;  // turns · 2^128, modulo one turn

inline constexpr Phase half_turn = Phase{1} << 127;
inline constexpr Phase quarter_pi =
    (Phase{0xC90FDAA22168C234} << 64) | 0xC4C6628B80DC1CD1;  // · 2^-128

// Returns the upper 128 bits of a·b, too small by less than 3.
inline Phase upper_product(Phase a, Phase b) {
    const auto low = [](Phase x) { return Phase{static_cast<std::uint64_t>(x)}; };
    return (a >> 64) * (b >> 64) + ((a >> 64) * low(b) >> 64) + (low(a) * (b >> 64) >> 64);
}

// θ/2π = numerator/denominator, in lowest terms.
struct RationalTurn {
    std::uint64_t numerator;
    std::uint64_t denominator;
};

// θ/2π, the angle per position of one pair.
struct TurnRate {
    Phase fraction = 0;           // θ/2π · 2^128, truncated
    std::uint64_t numerator = 0;  // θ/2π = numerator/denominator if denominator ≠ 0
    std::uint64_t denominator = 0;
};

// Returns θ/2π of a frequency θ in radians per position. `turn` is its exact value if rational.
TurnRate turn_rate(const BigReal& inv_freq, const std::optional<RationalTurn>& turn = {});

// Returns m·θ modulo one turn for m < 2^36. Error < m·2^-128 turn; exact if θ/2π is rational.
Phase phase_at(const TurnRate& rate, std::uint64_t m);

// Returns the fractional part of x ≥ 0, truncated to 128 bits.
Phase fraction_of(const BigReal& x);

// Returns the phase as a fraction of a turn in [0, 1), truncated to double.
double turns(Phase phase);

// Returns 2π·phase/2^128, in [0, 2π], rounded to nearest after an error < 2^-123.
double radians(Phase phase);

__extension__ using FixedPoint = __int128;

// Returns 2^110·cos of the phase, with an error < 2.
FixedPoint cosine_of(Phase phase);

// cos and sin of an exactly known angle, rounded once to a number format.

// Returns the number of the format nearest to x, ties to even; subnormal numbers are kept.
double round_to(Format format, const BigReal& x);

// Return amplitude·cos(angle) and amplitude·sin(angle), correctly rounded (proved): the precision
// rises until both ends of the error interval round to the same number. The angle needs an absolute
// error ≤ 2^-280, the amplitude a relative one. Except at angle 0 the value must be irrational,
// because a rational one may lie exactly on a rounding boundary.
double rounded_cos(const BigReal& angle, const BigReal& amplitude, Format format);
double rounded_sin(const BigReal& angle, const BigReal& amplitude, Format format);
void rounded_cos_sin(const BigReal& angle, const BigReal& amplitude, Format format, double& cos,
                     double& sin);

}  // namespace rope
