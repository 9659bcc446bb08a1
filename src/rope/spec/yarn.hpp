// NTK by parts: the forms of YaRN, and Llama 3.1's scaling.
#pragma once

#include "rope/exact/big_real.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// Defaults of beta_fast and beta_slow, the ends of YaRN's ramp in turns:

// transformers modeling_rope_utils.py, _compute_yarn_parameters; llama.cpp's llama_hparams
inline constexpr double yarn_beta_fast = 32, yarn_beta_slow = 1;

// Returns YaRN's attention factor m·ln(s)/10 + 1, or 1 if s ≤ 1, at exact_precision (transformers
// modeling_rope_utils.py, get_mscale).
BigReal yarn_magnitude(double s, double m);

// Ends of YaRN's ramp over the pair index: up to pair `low` θ is kept, from pair `high` on it is
// divided by the factor. If high < low, the other way round.
struct YarnRamp {
    BigReal low, high;
};

// Returns the ramp of a valid yarn as transformers does: rounded outwards, clamped to [0, d − 1],
// and with equal ends separated.
YarnRamp yarn_ramp(const Spec& spec, Precision scalar);

}  // namespace rope
