// How much a hypothesis says of a dump before it is looked at.
#pragma once

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

// Whether a hypothesis says enough of all pairs to be refuted: of the angles of a dump that turns
// somehow, which at far positions of slow pairs hardly differ from row to row.
bool says_enough(const Samples& samples, const Hypothesis& own);

// Whether `own` says enough to be refuted of each pair of which `asked` does. Where float32 may put
// an angle anywhere, any angle is explained, and none is foretold.
bool predicts_as_much(const Samples& samples, const Hypothesis& own, const Hypothesis& asked);

}  // namespace rope
