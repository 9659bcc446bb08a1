#include "rope/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/comparison/fit.hpp"

namespace rope {

double Comparison::allowance(std::uint64_t m, std::uint32_t pair) const {
    return std::min(2.0, slope[pair] * static_cast<double>(m)) + storage;
}

double Comparison::effective_allowance(std::uint64_t m, std::uint32_t pair) const {
    return std::min(2.0, effective_slope[pair] * static_cast<double>(m)) + storage;
}

std::uint64_t Comparison::context() const {
    if (subject.rows() == 0) return 0;
    std::uint64_t last = 0;
    for (std::uint32_t a = 0; a < axis_count(spec.axes); ++a)
        last = std::max(last, subject.position_of(subject.rows() - 1, a));
    return last + 1;
}

Comparison make_comparison(const Spec& spec, const FrequencyPlan& plan, const RowSource& subject,
                           std::uint64_t seed) {
    Comparison comparison{spec,
                          plan,
                          subject,
                          {},
                          plan.attention_factor,
                          seed,
                          axis_of_pairs(spec.axes, spec.pairs()),
                          {},
                          {},
                          {},
                          {},
                          0};
    const Exactness& exactness = subject.exactness();
    // 2^-48: our own doubles
    comparison.storage = std::numbers::sqrt2 * exactness.rounding / plan.attention_factor + 0x1p-48;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
        comparison.slope.push_back(exactness.angle_k[i] * 0x1p-24 *
                                   plan.pairs[i].inv_freq.to_double());

    if (const auto* own = subject.effective_inv_freq()) {
        comparison.effective_inv_freq = *own;
    } else {
        Fit fit = fit_frequencies(comparison);
        comparison.effective_inv_freq = std::move(fit.inv_freq);
        comparison.effective_amplitude = fit.amplitude;
    }
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const double own = std::abs(comparison.effective_inv_freq[i].to_double());
        comparison.effective_slope.push_back(
            std::max(comparison.slope[i], exactness.angle_k[i] * 0x1p-24 * own));
        comparison.rates.push_back(turn_rate(plan.pairs[i]));
        comparison.effective_rates.push_back(turn_rate(comparison.effective_inv_freq[i]));
    }
    return comparison;
}

}  // namespace rope
