// Llama 3.1: long wavelengths divided by factor, short ones kept, a ramp between.
// Source: transformers modeling_rope_utils.py, _compute_llama3_parameters.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

// smooth = (L0/λ − low) / (high − low);   inv_freq = (1 − smooth)·θ/factor + smooth·θ
void blend(PlannedFrequency& pair, const BigReal& wavelength, const Scaling& scaling) {
    const double low = *scaling.low_freq_factor, high = *scaling.high_freq_factor;
    const double length = static_cast<double>(*scaling.original_max_position_embeddings);
    const BigReal turns = length / wavelength;  // L0/λ
    // low = high leaves no ramp; transformers would compute 0/0 at the one wavelength on it
    const BigReal smooth =
        low == high ? BigReal(0, wavelength.precision()) : (turns - low) / (high - low);
    const BigReal& theta = pair.inv_freq;
    // d ln inv_freq / d ln θ = 1 + (L0/λ)/(high − low) · (factor − 1)/(1 + smooth·(factor − 1))
    const double gain = *scaling.factor - 1;
    if (low != high)
        pair.conditioning =
            1 + std::abs(turns.to_double() / (high - low) * gain / (1 + smooth.to_double() * gain));
    pair.inv_freq = (1.0 - smooth) * theta / *scaling.factor + smooth * theta;
}

void check_bands(const Spec& spec) {
    const double low = *spec.scaling.low_freq_factor, high = *spec.scaling.high_freq_factor;
    if (low > high)
        throw InputError(
            std::string(name_of(&Scaling::low_freq_factor)),
            "is " + decimal(low) + "; it must not exceed high_freq_factor (" + decimal(high) + ")");
}

FrequencyPlan plan(const Spec& spec, Precision precision) {
    const Scaling& scaling = spec.scaling;
    const Precision scalar = scalar_precision(precision);
    const BigReal length(static_cast<double>(*scaling.original_max_position_embeddings), scalar);
    const BigReal longest(length / *scaling.low_freq_factor, precision);
    const BigReal shortest(length / *scaling.high_freq_factor, precision);
    const BigReal full_turn(BigReal::pi(scalar) * 2.0, precision);

    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) {
        const BigReal wavelength = full_turn / pair.inv_freq;
        if (wavelength < shortest) continue;
        if (wavelength > longest)
            pair.inv_freq = pair.inv_freq / *scaling.factor;
        else
            blend(pair, wavelength, scaling);
    }
    return plan;
}

constexpr UsedKey keys[] = {required_key(&Scaling::factor), required_key(&Scaling::low_freq_factor),
                            required_key(&Scaling::high_freq_factor),
                            required_key(&Scaling::original_max_position_embeddings)};

}  // namespace

const Variant llama3_variant{"llama3", keys, check_bands, plan};

}  // namespace rope
