// θ_i = base^(-2i/d)   (Su et al., RoFormer, equation 15)
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

void check_keys(const Spec&) {}

FrequencyPlan plan(const Spec& spec, Precision precision) {
    return {base_frequencies(spec, precision)};
}

}  // namespace

const Variant default_variant{"default", {}, check_keys, plan};

}  // namespace rope
