// NTK by parts: YaRN in its forms, and Llama 3.1's scaling.
#pragma once

#include "rope/exact/big_real.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// NTK by parts with a ramp over the turns that a pair makes in the original length (Peng et al.,
// arXiv 2309.00071, §3.2): Llama 3.1's scaling, and YaRN as its paper defines it.

// r = L0/λ turns:  θ where r > high, θ/factor where r < low, between them
//     smooth = (r − low)/(high − low),   inv_freq = (1 − smooth)·θ/factor + smooth·θ
// Requires factor and original_max_position_embeddings.
FrequencyPlan plan_turn_ramp(const Spec& spec, double low, double high, Precision precision);

// The turns between which YaRN's ramp runs where a config has no others.

// transformers modeling_rope_utils.py, _compute_yarn_parameters; llama.cpp's llama_hparams
inline constexpr double yarn_beta_fast = 32, yarn_beta_slow = 1;

// How YaRN's attention factor grows with the context.

// m·ln(s)/10 + 1, and 1 where s ≤ 1, at exact_precision (transformers modeling_rope_utils.py,
// get_mscale)
BigReal yarn_magnitude(double s, double m);

// Where YaRN's ramp over the pair's index begins and ends.

// Up to pair `low` all of θ is kept, from pair `high` on none; exchanged where high < low.
struct YarnRamp {
    BigReal low, high;
};

// Of a valid yarn, by transformers' rule: rounded outwards, cut to [0, d − 1], equal ends set
// apart.
YarnRamp yarn_ramp(const Spec& spec, Precision scalar);

}  // namespace rope
