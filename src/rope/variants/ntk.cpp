// NTK-aware scaling: another base, b·factor^(d/(d−2)), which keeps θ_0 and divides the last θ by
// factor exactly.  With the factor of a length it is Hugging Face's dynamic type:
//     factor·n/L − (factor − 1),   n = max(seq_len, L), L = max_position_embeddings
// Source: transformers modeling_rope_utils.py, _compute_dynamic_ntk_parameters. With a step of the
// length it is Qwen-7B's use_dynamic_ntk (modeling_qwen.py, get_ntk_alpha).
#include <algorithm>

#include "rope/variants/variants.hpp"

namespace rope {
namespace {

void check_dimension(const Spec& spec) {
    if (spec.rotary_dim == 2)
        throw InputError("rotary_dim", "is 2; rope_type " + spec.scaling.rope_type +
                                           " divides by rotary_dim − 2 and needs at least 4");
}

FrequencyPlan plan_with_base(const Spec& spec, const BigReal& stretch, Precision precision) {
    const Precision scalar = stretch.precision();
    const BigReal exponent = BigReal(spec.rotary_dim, scalar) / (spec.rotary_dim - 2.0);
    const BigReal base(BigReal(spec.rope_theta, scalar) * pow(stretch, exponent), precision);
    FrequencyPlan plan;
    for (const BigReal& power : base_powers(base, spec))
        plan.pairs.push_back({1.0 / power, std::nullopt});
    return plan;
}

FrequencyPlan plan_ntk(const Spec& spec, Precision precision) {
    return plan_with_base(spec, BigReal(*spec.scaling.factor, scalar_precision(precision)),
                          precision);
}

FrequencyPlan plan_dynamic(const Spec& spec, Precision precision) {
    const Precision scalar = scalar_precision(precision);
    const double factor = *spec.scaling.factor;
    const auto length = static_cast<double>(spec.max_position_embeddings);
    const double n = std::max(static_cast<double>(spec.seq_len.value_or(0)), length);
    const BigReal stretch = BigReal(factor, scalar) * n / length - BigReal(factor - 1, scalar);
    return plan_with_base(spec, stretch, precision);
}

// α = max(2^⌈log2(n/L) + 1⌉ − 1, 1): 1 up to L, 3 up to 2L, 7 up to 4L, …
FrequencyPlan plan_qwen(const Spec& spec, Precision precision) {
    std::uint64_t reach = spec.max_position_embeddings, power = 2;
    for (; reach < spec.seq_len.value_or(0); reach *= 2) power *= 2;
    return plan_with_base(
        spec, BigReal(static_cast<double>(power - 1), scalar_precision(precision)), precision);
}

constexpr UsedKey ntk_keys[] = {required_key(&Scaling::factor)};

}  // namespace

const Variant ntk_variant{"ntk", ntk_keys, check_dimension, plan_ntk};
const Variant dynamic_variant{"dynamic", ntk_keys, check_dimension, plan_dynamic};
const Variant qwen_ntk_variant{"qwen_ntk", {}, check_dimension, plan_qwen};

}  // namespace rope
