#include "rope/variants/turn_ramp.hpp"

#include <cmath>

namespace rope {
namespace {

struct TurnRamp {
    double low, high, length, factor;
};

void blend(PlannedFrequency& pair, const BigReal& wavelength, const TurnRamp& ramp) {
    const auto [low, high, length, factor] = ramp;
    const BigReal turns = length / wavelength;  // L0/λ
    // low = high leaves no ramp; transformers would compute 0/0 at the one wavelength on it
    const BigReal smooth =
        low == high ? BigReal(0, wavelength.precision()) : (turns - low) / (high - low);
    const BigReal& theta = pair.inv_freq;
    // d ln inv_freq / d ln θ = 1 + (L0/λ)/(high − low) · (factor − 1)/(1 + smooth·(factor − 1))
    const double gain = factor - 1;
    if (low != high)
        pair.conditioning =
            1 + std::abs(turns.to_double() / (high - low) * gain / (1 + smooth.to_double() * gain));
    pair.inv_freq = (1.0 - smooth) * theta / factor + smooth * theta;
}

}  // namespace

FrequencyPlan plan_turn_ramp(const Spec& spec, double low, double high, Precision precision) {
    const Scaling& scaling = spec.scaling;
    const TurnRamp ramp{low, high, static_cast<double>(*scaling.original_max_position_embeddings),
                        *scaling.factor};
    const Precision scalar = scalar_precision(precision);
    const BigReal length(ramp.length, scalar);
    const BigReal longest(length / low, precision), shortest(length / high, precision);
    const BigReal two_pi(BigReal::pi(scalar) * 2.0, precision);

    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) {
        const BigReal wavelength = two_pi / pair.inv_freq;
        if (wavelength < shortest) continue;
        if (wavelength > longest)
            pair.inv_freq = pair.inv_freq / ramp.factor;
        else
            blend(pair, wavelength, ramp);
    }
    return plan;
}

}  // namespace rope
