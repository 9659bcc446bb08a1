// Vectors that were changed beside the rotation, each by itself, with that undone.
#pragma once

#include <functional>

#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"

namespace rope {

// Of a row's vector before the rotation, or after it.
using Undo = std::function<void(SampledVector&)>;

// Whether all pairs of the Spec keep their norms, but for one factor, where it is undone, and do
// not where it is not.
bool keeps_pairs_undone(const Spec& spec, const RotatedDump& dump, const Undo& undo);

// A pair's rounding is of its row's size then: pairs that are small beside it become zero, which
// leaves them out, and lanes that do not rotate what they are on the other side, where they are
// within rounding of it.
Cleared undone(const Spec& spec, const RotatedDump& dump, const Undo& undo, NamedMistake mistake);

}  // namespace rope
