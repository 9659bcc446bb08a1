// Frequencies that no formula gives: learned, random, or of pixels.
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

FrequencyPlan plan_given(const Spec& spec, Precision precision) {
    FrequencyPlan plan;
    for (const double theta : spec.scaling.given_inv_freq)
        plan.pairs.push_back({BigReal(theta, precision), std::nullopt});
    return plan;
}

constexpr UsedKey given_keys[] = {required_key(&Scaling::given_inv_freq)};

}  // namespace

const Variant given_variant{"given", given_keys, nullptr, plan_given};

}  // namespace rope
