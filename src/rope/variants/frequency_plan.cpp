#include "rope/variants/frequency_plan.hpp"

#include <algorithm>

namespace rope {

Precision scalar_precision(Precision precision) { return {std::max(53L, precision.bits)}; }

namespace {

// b^(2i/d) for i = 0 … count − 1 as powers of b^(2/d): i·(1 + ln b) roundings of 2^-384 stay below
// one of 2^-320, and a product costs a hundredth of pow.
std::vector<BigReal> exact_powers(const BigReal& base, std::uint32_t d, std::uint32_t count) {
    const Precision wide{exact_precision.bits + 64};
    const BigReal ratio = pow(BigReal(base, wide), BigReal(2, wide) / d);
    std::vector<BigReal> powers;
    BigReal power(1, wide);
    for (std::uint32_t i = 0; i < count; ++i, power = power * ratio)
        powers.emplace_back(power, exact_precision);
    return powers;
}

}  // namespace

std::vector<BigReal> base_powers(const BigReal& base, const Spec& spec) {
    const std::uint32_t restarts = frequency_restarts(spec.axes), d = spec.rotary_dim / restarts;
    std::vector<BigReal> powers;
    if (base.precision().bits == exact_precision.bits)
        powers = exact_powers(base, d, d / 2);
    else
        for (std::uint32_t i = 0; i < d / 2; ++i)
            powers.push_back(pow(base, BigReal(2.0 * i, base.precision()) / d));
    powers.reserve(spec.pairs());
    for (std::uint32_t i = d / 2; i < spec.pairs(); ++i) powers.push_back(powers[i - d / 2]);
    return powers;
}

std::vector<PlannedFrequency> base_frequencies(const Spec& spec, Precision precision) {
    std::vector<PlannedFrequency> pairs;
    pairs.reserve(spec.pairs());
    for (const BigReal& power : base_powers(BigReal(spec.rope_theta, precision), spec))
        pairs.push_back({1.0 / power, std::nullopt});
    return pairs;
}

}  // namespace rope
