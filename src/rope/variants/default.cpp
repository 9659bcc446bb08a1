// θ_i = base^(-2i/d)   (Su et al., RoFormer, equation 15)
#include "rope/variants/variants.hpp"

namespace rope {

void validate_default(const Spec&) {}

FrequencyPlan plan_default(const Spec& spec, Precision precision) {
    return {base_frequencies(spec, precision)};
}

}  // namespace rope
