// θ_i divided by a searched factor per pair: short_factor up to the original length, long_factor
// beyond it (Ding et al., arXiv 2402.13753; transformers modeling_rope_utils.py,
// _compute_longrope_parameters).
//     attention_factor = √(1 + ln s/ln L0),  s = factor, or max/original length where it is absent
// short_mscale and long_mscale are attention factors of the two lists (modeling_phimoe.py).
#include "base/decimal.hpp"
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

// Of √(1 + ln s/ln L0) for s > 1, which the config may give instead.
void check_original(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    const bool is_given = scaling.attention_factor || (scaling.short_mscale && scaling.long_mscale);
    const double s = scaling.factor.value_or(static_cast<double>(spec.max_position_embeddings));
    if (is_given || *scaling.original_max_position_embeddings > 1 || !(s > 1)) return;
    throw InputError(std::string(name_of(&Scaling::original_max_position_embeddings)),
                     "is " + decimal(*scaling.original_max_position_embeddings) +
                         "; rope_type longrope divides by its logarithm and needs more than 1");
}

BigReal attention_factor(const Spec& spec, bool is_long) {
    const Scaling& scaling = spec.scaling;
    const BigReal one(1, exact_precision);
    if (const auto& own = is_long ? scaling.long_mscale : scaling.short_mscale) return one * *own;
    if (scaling.attention_factor) return one * *scaling.attention_factor;
    BigReal original = BigReal::whole(*scaling.original_max_position_embeddings, exact_precision);
    BigReal s = scaling.factor
                    ? one * *scaling.factor
                    : BigReal::whole(spec.max_position_embeddings, exact_precision) / original;
    if (!(s > one)) return BigReal(1, exact_precision);
    for (BigReal* x : {&s, &original}) mpfr_log(x->raw(), x->raw(), MPFR_RNDN);
    BigReal square = one + s / original;
    mpfr_sqrt(square.raw(), square.raw(), MPFR_RNDN);
    return square;
}

FrequencyPlan plan_longrope(const Spec& spec, Precision precision) {
    const Scaling& scaling = spec.scaling;
    const bool is_long = spec.seq_len.value_or(0) > *scaling.original_max_position_embeddings;
    const std::vector<double>& factors = is_long ? scaling.long_factor : scaling.short_factor;
    FrequencyPlan plan;
    for (const BigReal& power : base_powers(BigReal(spec.rope_theta, precision), spec))
        plan.pairs.push_back({1.0 / (factors[plan.pairs.size()] * power), std::nullopt});
    plan.set_amplitude(attention_factor(spec, is_long));
    return plan;
}

constexpr UsedKey longrope_keys[] = {required_key(&Scaling::original_max_position_embeddings),
                                     required_key(&Scaling::short_factor),
                                     required_key(&Scaling::long_factor),
                                     optional_key(&Scaling::factor),
                                     optional_key(&Scaling::attention_factor),
                                     optional_key(&Scaling::short_mscale),
                                     optional_key(&Scaling::long_mscale)};

}  // namespace

const Variant longrope_variant{"longrope", longrope_keys, check_original, plan_longrope};

}  // namespace rope
