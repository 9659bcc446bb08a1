// How much a hypothesis says of a dump before it is looked at.
#pragma once

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

// −log2 of the probability that the pair's angles, were they random, would be within the
// hypothesis' allowance at every position but 0: nothing where that is a whole turn, and a pair
// that is left out tells as much.
double predicted_bits(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair);

// Whether each pair of which `asked` says enough to be refuted is said enough of by `own`, too.
bool predicts_as_much(const Samples& samples, const Hypothesis& own, const Hypothesis& asked);

}  // namespace rope
