// Llama 3.1: long wavelengths divided by factor, short ones kept, a ramp between (turn_ramp.hpp).
// Source: transformers modeling_rope_utils.py, _compute_llama3_parameters.
#include "base/decimal.hpp"
#include "rope/variants/turn_ramp.hpp"
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

void check_bands(const Spec& spec) {
    const double low = *spec.scaling.low_freq_factor, high = *spec.scaling.high_freq_factor;
    if (low > high)
        throw InputError(
            std::string(name_of(&Scaling::low_freq_factor)),
            "is " + decimal(low) + "; it must not exceed high_freq_factor (" + decimal(high) + ")");
}

FrequencyPlan plan_llama3(const Spec& spec, Precision precision) {
    return plan_turn_ramp(spec, *spec.scaling.low_freq_factor, *spec.scaling.high_freq_factor,
                          precision);
}

constexpr UsedKey llama3_keys[] = {required_key(&Scaling::factor),
                                   required_key(&Scaling::low_freq_factor),
                                   required_key(&Scaling::high_freq_factor),
                                   required_key(&Scaling::original_max_position_embeddings)};

}  // namespace

const Variant llama3_variant{"llama3", llama3_keys, check_bands, plan_llama3};

}  // namespace rope
