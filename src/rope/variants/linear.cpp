// θ_i / factor: Position Interpolation (Chen et al., arXiv 2306.15595)
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

void check_keys(const Spec& spec) { require_positive(spec, spec.scaling.factor, "factor"); }

FrequencyPlan plan(const Spec& spec, Precision precision) {
    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) pair.inv_freq = pair.inv_freq / *spec.scaling.factor;
    return plan;
}

constexpr std::string_view keys[] = {"factor"};

}  // namespace

const Variant linear_variant{"linear", keys, check_keys, plan};

}  // namespace rope
