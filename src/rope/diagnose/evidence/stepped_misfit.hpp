// Angles that are stepped up in float32: from position to position, or from pair to pair.
#pragma once

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

// misfit() of a hypothesis of that method. The library's pow moves θ by a few units of 2^-24, and
// every step after it. Infinite where a position is beyond 2^21.
double stepped_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit);

}  // namespace rope
