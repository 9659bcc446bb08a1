// θ̄_i = π/(2n) · base^(-2i/d), n = max_position_embeddings, so that the first pair turns by a
// quarter turn over the whole context.  (He & Xu, Easy Derivation of Rotary Position Embeddings)
#include <cmath>
#include <numeric>

#include "rope/exact/elementary.hpp"
#include "rope/variants/variants.hpp"

namespace rope {
namespace {

// base^(a/c) for a/c in lowest terms, where base is a perfect c-th power; empty elsewhere.
// Then it is a whole number, and by unique factorisation nothing else is rational.
std::optional<std::uint64_t> whole_power(double base, std::uint32_t a, std::uint32_t c) {
    if (a == 0 || base == 1) return 1;
    constexpr double largest = 0x1p26;
    if (base != std::floor(base) || base > 0x1p53) return std::nullopt;
    const double root = std::round(portable::exp(portable::log(base) / c));
    double check = 1, power = 1;
    for (std::uint32_t k = 0; k < c; ++k) {
        check *= root;
        if (check > base || root < 2) return std::nullopt;
    }
    if (check != base) return std::nullopt;
    for (std::uint32_t k = 0; k < a; ++k) {
        power *= root;
        if (power > largest) return std::nullopt;
    }
    return static_cast<std::uint64_t>(power);
}

FrequencyPlan plan_he_xu(const Spec& spec, Precision precision) {
    const Precision scalar = scalar_precision(precision);
    const std::uint64_t n = spec.max_position_embeddings;
    const BigReal scale(BigReal::pi(scalar) / static_cast<double>(2 * n), precision);

    FrequencyPlan plan{base_frequencies(spec, precision)};
    const std::vector<FrequencyStep> steps = frequency_steps(spec.axes, spec.pairs());
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        PlannedFrequency& pair = plan.pairs[i];
        pair.inv_freq = scale * pair.inv_freq;
        // θ̄_i/2π = 1/(4n · base^(2·index/width))
        const auto [index, width] = steps[i];
        const std::uint32_t common = std::gcd(2 * index, width);
        if (const auto power = whole_power(spec.rope_theta, 2 * index / common, width / common))
            pair.turn = RationalTurn{1, 4 * n * *power};
    }
    return plan;
}

}  // namespace

const Variant he_xu_variant{"he_xu", {}, nullptr, plan_he_xu};

}  // namespace rope
