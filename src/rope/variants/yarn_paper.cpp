// YaRN as its paper defines it: the ramp runs over turns in the original length, α = beta_slow and
// β = beta_fast, where every implementation runs it over the pair's index (yarn.cpp).
//     attention_factor = √(1/t) = 0.1·ln factor + 1
// Source: Peng et al., arXiv 2309.00071, definitions 1 and 2, equation 15.
#include "rope/variants/turn_ramp.hpp"
#include "rope/variants/variants.hpp"
#include "rope/variants/yarn_betas.hpp"
#include "rope/variants/yarn_magnitude.hpp"

namespace rope {
namespace {

constexpr UsedKey yarn_paper_keys[] = {
    required_key(&Scaling::factor), required_key(&Scaling::original_max_position_embeddings),
    optional_key(&Scaling::attention_factor), optional_key(&Scaling::beta_fast, yarn_beta_fast),
    optional_key(&Scaling::beta_slow, yarn_beta_slow)};

double beta(const Spec& spec, std::optional<double> Scaling::* member) {
    return value_or_default(spec.scaling, yarn_paper_keys, member);
}

FrequencyPlan plan_yarn_paper(const Spec& spec, Precision precision) {
    FrequencyPlan plan = plan_turn_ramp(spec, beta(spec, &Scaling::beta_slow),
                                        beta(spec, &Scaling::beta_fast), precision);
    const auto& own = spec.scaling.attention_factor;
    plan.set_amplitude(own ? BigReal(*own, exact_precision)
                           : yarn_magnitude(*spec.scaling.factor, 1));
    return plan;
}

}  // namespace

const Variant yarn_paper_variant{"yarn_paper", yarn_paper_keys, nullptr, plan_yarn_paper};

}  // namespace rope
