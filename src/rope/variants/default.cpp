// θ_i = base^(-2i/d)   (Su et al., RoFormer, equation 15)
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

FrequencyPlan plan_default(const Spec& spec, Precision precision) {
    return {base_frequencies(spec, precision)};
}

}  // namespace

const Variant default_variant{"default", {}, nullptr, plan_default};

}  // namespace rope
