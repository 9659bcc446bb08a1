// cos and sin of an exactly known angle, rounded once to a number format.
#pragma once

#include "rope/exact/big_real.hpp"
#include "rope/number/format.hpp"

namespace rope {

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
