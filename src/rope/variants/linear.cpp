// θ_i / factor: Position Interpolation (Chen et al., arXiv 2306.15595)
#include <cmath>

#include "rope/decimal.hpp"
#include "rope/variants/variants.hpp"

namespace rope {

double require_positive(const Spec& spec, const std::optional<double>& value, const char* key) {
    if (!value)
        throw InputError(std::string(key) + " is missing; rope_type " + spec.scaling.rope_type +
                         " needs it, a number greater than 0");
    if (!(*value > 0) || !std::isfinite(*value) || *value > 1e9 || *value < 1e-9)
        throw InputError(std::string(key) + " is " + decimal(*value) +
                         "; it must be greater than 0 (1e-9 to 1e9)");
    return *value;
}

void validate_linear(const Spec& spec) { require_positive(spec, spec.scaling.factor, "factor"); }

FrequencyPlan plan_linear(const Spec& spec, Precision precision) {
    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) pair.inv_freq = pair.inv_freq / *spec.scaling.factor;
    return plan;
}

}  // namespace rope
