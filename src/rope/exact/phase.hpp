// The exact angle: a 128-bit fixed-point fraction of a turn.
//
// In this ring, integers modulo 2^128, wrap-around is the argument reduction, and the
// relative-position property is an identity without any rounding:
//     P·n − P·m = P·(n − m)
#pragma once

#include <cstdint>
#include <optional>

#include "rope/exact/big_real.hpp"
#include "rope/number/format.hpp"

namespace rope {

__extension__ using Phase = unsigned __int128;  // turns · 2^128, modulo one turn

inline constexpr Phase half_turn = Phase{1} << 127;

// numerator/denominator of a turn per position, in lowest terms.
struct RationalTurn {
    std::uint64_t numerator;
    std::uint64_t denominator;
};

// How far one position turns a pair.
struct TurnRate {
    Phase fraction = 0;           // θ/2π · 2^128, truncated
    std::uint64_t numerator = 0;  // θ/2π = numerator/denominator where denominator ≠ 0
    std::uint64_t denominator = 0;
};

// θ/2π of a frequency in radians per position; `turn` where that is rational.
TurnRate turn_rate(const BigReal& inv_freq, const std::optional<RationalTurn>& turn = {});

// m·θ modulo one turn, m < 2^36. Error < m·2^-128 turn; none where θ/2π is rational.
Phase phase_at(const TurnRate& rate, std::uint64_t m);

// The fraction of x ≥ 0, truncated.
Phase fraction_of(const BigReal& x);

// phase as a fraction of a turn in [0, 1), truncated to double
double turns(Phase phase);

// phase as an angle in [0, 2π], to nearest: 2π·phase/2^128 is known to within 2^-123
double radians(Phase phase);

// cos and sin of an exactly known angle, rounded once to a number format.

// x to the nearest number of the format, ties to even, with its subnormals.
double round_to(Format format, const BigReal& x);

// amplitude·cos(angle) and amplitude·sin(angle), proved correctly rounded: the precision rises
// until both ends of the error interval round alike. Require the angle to an absolute 2^-280 and
// the amplitude to a relative one, and the value not to be rational but at angle 0: elsewhere it
// may lie exactly on a boundary.
double rounded_cos(const BigReal& angle, const BigReal& amplitude, Format format);
double rounded_sin(const BigReal& angle, const BigReal& amplitude, Format format);
void rounded_cos_sin(const BigReal& angle, const BigReal& amplitude, Format format, double& cos,
                     double& sin);

}  // namespace rope
