#include "rope/variants/frequency_plan.hpp"

#include <algorithm>
#include <map>

namespace rope {

Precision scalar_precision(Precision precision) { return {std::max(53L, precision.bits)}; }

namespace {

// b^(2i/d) for i = 0 … count − 1 as powers of b^(2/d): i·(1 + ln b) roundings of 64 bits more
// stay below one of the precision, and a product costs a hundredth of pow.
std::vector<BigReal> exact_powers(const BigReal& base, std::uint32_t d, std::uint32_t count) {
    const Precision wide{base.precision().bits + 64};
    const BigReal ratio = pow(BigReal(base, wide), BigReal(2, wide) / d);
    std::vector<BigReal> powers;
    BigReal power(1, wide);
    for (std::uint32_t i = 0; i < count; ++i, power = power * ratio)
        powers.emplace_back(power, base.precision());
    return powers;
}

}  // namespace

std::vector<BigReal> base_powers(const BigReal& base, const Spec& spec) {
    const bool is_exact = base.precision().bits > 53;  // a float's steps are rounded one by one
    std::map<std::uint32_t, std::vector<BigReal>> by_width;
    std::vector<BigReal> powers;
    powers.reserve(spec.pairs());
    for (const auto& [index, width] : frequency_steps(spec.axes, spec.pairs())) {
        std::vector<BigReal>& own = by_width[width];
        if (own.empty() && is_exact) own = exact_powers(base, width, width / 2);
        for (auto i = static_cast<std::uint32_t>(own.size()); i <= index; ++i)
            own.push_back(pow(base, BigReal(2.0 * i, base.precision()) / width));
        powers.push_back(own[index]);
    }
    return powers;
}

std::vector<TurnRate> turn_rates(std::span<const PlannedFrequency> pairs) {
    std::vector<TurnRate> rates;
    rates.reserve(pairs.size());
    for (const PlannedFrequency& pair : pairs) rates.push_back(turn_rate(pair));
    return rates;
}

std::vector<PlannedFrequency> base_frequencies(const Spec& spec, Precision precision) {
    std::vector<PlannedFrequency> pairs;
    pairs.reserve(spec.pairs());
    for (const BigReal& power : base_powers(BigReal(spec.rope_theta, precision), spec))
        pairs.push_back({1.0 / power, std::nullopt});
    return pairs;
}

}  // namespace rope
