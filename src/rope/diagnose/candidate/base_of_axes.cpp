#include <algorithm>
#include <cmath>

#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

// Whether the line of an axis, ln θ by the negative exponent, is not 0 at 0, by slopes of this
// variance.
bool has_scale(const LineSums& sums, double slope, double variance) {
    return sums.w > 0 && std::abs(sums.offset(slope)) >
                             4 * std::sqrt((1 + sums.x * sums.x / sums.w * variance) / sums.w);
}

}  // namespace

// Σ_a cov_a(x, y) / Σ_a var_a(x) = −ln base
std::optional<Estimate> base_of_axes(const Spec& asked, const std::vector<PhaseLine>& lines) {
    const std::vector<std::uint32_t> axis = axis_of_pairs(asked.axes, asked.pairs());
    const std::vector<FrequencyStep> steps = frequency_steps(asked.axes, asked.pairs());
    const auto exponent = [&](std::size_t i) { return 2.0 * steps[i].index / steps[i].width; };
    std::vector<LineSums> sums(axis_count(asked.axes));
    std::size_t told = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_of_a_law()) continue;
        sums[axis[i]].add(exponent(i), portable::log(lines[i].theta), lines[i].weight());
        ++told;
    }
    double spread = 0, covariance = 0;
    for (const LineSums& one : sums) {
        if (!(one.w > 0)) continue;
        spread += one.spread() / one.w;
        covariance += one.covariance() / one.w;
    }
    if (told < sums.size() + 3 || !(spread > 0)) return std::nullopt;
    const double slope = covariance / spread;
    if (std::ranges::none_of(
            sums, [&](const LineSums& one) { return has_scale(one, slope, 1 / spread); }))
        return std::nullopt;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_of_a_law()) continue;
        const double own = portable::exp(sums[axis[i]].at(exponent(i), slope));
        if (!(std::abs(lines[i].theta - own) <= 8 * lines[i].error)) return std::nullopt;
    }
    return Estimate{portable::exp(-slope), 1 / std::sqrt(spread)};
}

}  // namespace rope
