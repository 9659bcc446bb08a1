// Gemma 4's global layers, p-RoPE (arXiv 2410.06205): the first p of the pairs turn by
// base^(-2i/head_dim), the others do not rotate; pairs are (i, i + head_dim/2) of the whole head.
// Source: transformers modeling_rope_utils.py, _compute_proportional_rope_parameters.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

constexpr UsedKey proportional_keys[] = {optional_key(&Scaling::factor, 1.0),
                                         optional_key(&Scaling::partial_rotary_factor, 1.0)};

void check_whole_head(const Spec& spec) {
    if (spec.rotary_dim != spec.head_dim)
        throw InputError("rotary_dim", "is " + decimal(spec.rotary_dim) +
                                           "; rope_type proportional covers the whole head, "
                                           "head_dim " +
                                           decimal(spec.head_dim));
}

FrequencyPlan plan_proportional(const Spec& spec, Precision precision) {
    FrequencyPlan plan{base_frequencies(spec, precision)};
    const double p =
        value_or_default(spec.scaling, proportional_keys, &Scaling::partial_rotary_factor);
    const double factor = value_or_default(spec.scaling, proportional_keys, &Scaling::factor);
    const auto turning = static_cast<std::size_t>(std::floor(p * spec.head_dim / 2));
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        PlannedFrequency& pair = plan.pairs[i];
        if (i < turning) {
            pair.inv_freq = pair.inv_freq / factor;
            continue;
        }
        pair.inv_freq = BigReal(0, precision);
        pair.turn = RationalTurn{0, 1};
    }
    return plan;
}

}  // namespace

const Variant proportional_variant{"proportional", proportional_keys, check_whole_head,
                                   plan_proportional};

}  // namespace rope
