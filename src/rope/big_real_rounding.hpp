// cos and sin of an exactly known angle, rounded once to a number format.
#pragma once

#include "rope/big_real.hpp"
#include "rope/format.hpp"

namespace rope {

// x to the nearest number of the format, ties to even, with its subnormals.
double round_to(Format format, const BigReal& x);

// amplitude·cos(angle) and amplitude·sin(angle), proved correctly rounded: the precision rises
// until both ends of the error interval round alike. Requires the angle to an absolute 2^-280,
// and not a nonzero multiple of π/6, where a value may lie exactly on a boundary.
void rounded_cos_sin(const BigReal& angle, double amplitude, Format format, double& cos,
                     double& sin);

}  // namespace rope
