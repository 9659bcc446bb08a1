// Vectors that must not rotate at all: rotary_dim 0.
#pragma once

#include "rope/session/session.hpp"

namespace rope {

// One finding, pass-through of every lane, and where they do rotate by which Spec. Throws
// InputError of a table or frequencies, which say nothing of lanes that do not rotate, and where
// `only` leaves nothing to check.
Report judge_stillness(const Spec& spec, const Dump& dump, const SessionOptions& options);

}  // namespace rope
