// Resonance RoPE: every wavelength rounded to whole positions, so that what a
// pair holds beyond the length of training it has held before.
//     λ_i = round(2π/θ_i),  inv_freq = 2π/λ_i
// Source: Wang et al., arXiv 2403.00071, §4.
#include "rope/exact/big_real.hpp"
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

void check_wavelengths(const Spec& spec) {
    const FrequencyPlan plan{base_frequencies(spec, exact_precision)};
    const BigReal two_pi = exact_pi() * 2.0;
    for (const PlannedFrequency& pair : plan.pairs)
        if (!(two_pi / pair.inv_freq < real(0x1p53)))
            throw InputError("rope_theta",
                             "makes wavelengths beyond 2^53 positions; it must be smaller for "
                             "rope_type resonance");
}

FrequencyPlan plan_resonance(const Spec& spec, Precision precision) {
    const BigReal two_pi = exact_pi() * 2.0;
    FrequencyPlan plan{base_frequencies(spec, exact_precision)};
    for (PlannedFrequency& pair : plan.pairs) {
        const BigReal wavelength = nearest_whole(two_pi / pair.inv_freq);
        pair.inv_freq = BigReal(two_pi / wavelength, precision);
        if (wavelength < real(0x1p53))  // a search may ask for a base that no Spec may have
            pair.turn = RationalTurn{1, static_cast<std::uint64_t>(wavelength.to_double())};
    }
    return plan;
}

}  // namespace

const Variant resonance_variant{"resonance", {}, check_wavelengths, plan_resonance};

}  // namespace rope
