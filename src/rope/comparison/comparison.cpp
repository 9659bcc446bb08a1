#include "rope/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/comparison/fit.hpp"
#include "rope/subject/positions.hpp"

namespace rope {

double Comparison::allowance(double m, std::uint32_t pair) const {
    return std::min(2.0, slope[pair] * std::abs(m)) + storage;
}

double Comparison::effective_allowance(double m, std::uint32_t pair) const {
    return std::min(2.0, effective_slope[pair] * std::abs(m)) + storage;
}

std::uint64_t Comparison::context() const {
    if (subject.rows() == 0) return 0;
    std::vector<double> last;
    for (std::uint32_t a = 0; a < axis_count(spec.axes); ++a)
        last.push_back(subject.position_of(subject.rows() - 1, a));
    return context_of(last);
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
        for (const BigReal& inv_freq : *own) comparison.effective.push_back({inv_freq, {}});
    } else {
        Fit fit = fit_frequencies(comparison);
        for (BigReal& inv_freq : fit.inv_freq)
            comparison.effective.push_back({std::move(inv_freq), {}});
        comparison.effective_amplitude = fit.amplitude;
    }
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const double own = std::abs(comparison.effective[i].inv_freq.to_double());
        comparison.effective_slope.push_back(
            std::max(comparison.slope[i], exactness.angle_k[i] * 0x1p-24 * own));
        comparison.rates.push_back(turn_rate(plan.pairs[i]));
        comparison.effective_rates.push_back(turn_rate(comparison.effective[i]));
    }
    return comparison;
}

}  // namespace rope
