// θ_i / factor: Position Interpolation (Chen et al., arXiv 2306.15595)
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

FrequencyPlan plan_linear(const Spec& spec, Precision precision) {
    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) pair.inv_freq = pair.inv_freq / *spec.scaling.factor;
    return plan;
}

constexpr UsedKey linear_keys[] = {required_key(&Scaling::factor)};

}  // namespace

const Variant linear_variant{"linear", linear_keys, nullptr, plan_linear};

}  // namespace rope
