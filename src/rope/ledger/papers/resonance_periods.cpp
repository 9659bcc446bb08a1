// Wang et al., Resonance RoPE: wavelengths are rounded to whole numbers of positions.
#include <numeric>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

BigReal wavelength(const PlannedFrequency& pair) { return 2.0 * exact_pi() / pair.inv_freq; }

void derive_periods(Derivation& d) {
    d.say(
        "With a wavelength of a whole number λ of positions, position m + λ has the very angle of "
        "m: beyond the training length a pair meets no new one. d = 128, base 10000.");
    const FrequencyPlan plan = base_rope();
    std::uint64_t joint = 1;
    bool returns = true;
    for (std::size_t i = 0; i < 16; ++i) {
        const auto whole =
            static_cast<std::uint64_t>(nearest_whole(wavelength(plan.pairs[i])).to_double());
        const TurnRate rate{.numerator = 1, .denominator = whole};
        returns = returns && phase_at(rate, 5 + whole) == phase_at(rate, 5);
        joint = std::lcm(joint, whole);
    }
    d.number("rounded wavelength of pair 0, from 2π", nearest_whole(wavelength(plan.pairs[0])), "6",
             "positions");
    d.number("joint period of the first 16 pairs", BigReal::whole(joint, exact_precision),
             "25250966100360", "positions");
    d.confirm("In exact phases each of them comes back to where it was.", returns);
}

void derive_change(Derivation& d) {
    d.say("Rounding λ changes the frequency by |λ/round(λ) − 1|, most where λ is short.");
    const FrequencyPlan plan = base_rope();
    BigReal worst = real(0);
    double pair = 0;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const BigReal own = wavelength(plan.pairs[i]);
        const BigReal off = absolute(own / nearest_whole(own) - real(1));
        if (off > worst) worst = off, pair = static_cast<double>(i);
    }
    d.number("pair that changes most", pair, "2");
    d.number("its wavelength, which becomes 8", wavelength(plan.pairs[2]), "8.3788", "positions");
    const BigReal change = d.number("change of its frequency", 100.0 * worst, "4.7345", "%");
    d.confirm("No frequency changes by 5 % or more.", change < real(5));
}

constexpr Entry resonance_periods_entries[] = {
    {"resonance-periods", "rounded wavelengths", "With whole wavelengths no pair meets new angles.",
     Status::theorem, derive_periods},
    {"resonance-change", "rounded wavelengths",
     "Rounding wavelengths changes the frequencies little.", Status::empirical, derive_change},
};

}  // namespace

std::span<const Entry> resonance_periods() { return resonance_periods_entries; }

}  // namespace rope::ledger
