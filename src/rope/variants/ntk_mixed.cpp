// Su Jianlin's NTK-RoPE: fixed (mixed_b = 1) and mixed, which vLLM calls ntk.
//     θ_i / exp(a·(i + 1)^mixed_b),   a = ln factor/(d/2)^mixed_b
// so that pair 0 is scaled, too, and the last one by the whole factor. mixed_b = 1 is
// (b·factor)^(−2i/d)/factor^(2/d).
// Source: https://kexue.fm/archives/9706; vllm ntk_scaling_rope.py, NTKScalingRotaryEmbedding.
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

constexpr UsedKey ntk_mixed_keys[] = {required_key(&Scaling::factor),
                                      optional_key(&Scaling::mixed_b, 1.0)};

FrequencyPlan plan_ntk_mixed(const Spec& spec, Precision precision) {
    const Precision scalar = scalar_precision(precision);
    const BigReal factor(*spec.scaling.factor, scalar);
    const BigReal power(value_or_default(spec.scaling, ntk_mixed_keys, &Scaling::mixed_b), scalar);
    const BigReal half(spec.rotary_dim / 2.0, scalar);
    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        // exp(a·(i + 1)^b) = factor^(((i + 1)/(d/2))^b)
        const BigReal share = pow(BigReal(static_cast<double>(i + 1), scalar) / half, power);
        PlannedFrequency& pair = plan.pairs[i];
        pair.inv_freq = pair.inv_freq / BigReal(pow(factor, share), precision);
    }
    return plan;
}

}  // namespace

const Variant ntk_mixed_variant{"ntk_mixed", ntk_mixed_keys, nullptr, plan_ntk_mixed};

}  // namespace rope
