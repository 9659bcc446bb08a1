// NTK by parts with a ramp over the turns that a pair makes in the original length (Peng et al.,
// arXiv 2309.00071, §3.2): Llama 3.1's scaling, and YaRN as its paper defines it.
#pragma once

#include "rope/variants/frequency_plan.hpp"

namespace rope {

// r = L0/λ turns:  θ where r > high, θ/factor where r < low, between them
//     smooth = (r − low)/(high − low),   inv_freq = (1 − smooth)·θ/factor + smooth·θ
// Requires factor and original_max_position_embeddings.
FrequencyPlan plan_turn_ramp(const Spec& spec, double low, double high, Precision precision);

}  // namespace rope
