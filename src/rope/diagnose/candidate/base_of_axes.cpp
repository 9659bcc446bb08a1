#include <algorithm>
#include <cmath>

#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

// Of an axis's pairs: the exponent −x, y = ln θ.
struct Sums {
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;

    void add(double weight, double exponent, double log_theta) {
        w += weight;
        x += weight * exponent;
        y += weight * log_theta;
        xx += weight * exponent * exponent;
        xy += weight * exponent * log_theta;
    }
    double spread() const { return w > 0 ? xx - x * x / w : 0; }
    double covariance() const { return w > 0 ? xy - x * y / w : 0; }
    double at(double exponent, double slope) const { return (y + slope * (w * exponent - x)) / w; }
    // Whether ln θ is 0 at exponent 0, by slopes of this variance.
    bool has_scale(double slope, double variance) const {
        return w > 0 && std::abs(at(0, slope)) > 4 * std::sqrt((1 + x * x / w * variance) / w);
    }
};

}  // namespace

// Σ_a cov_a(x, y) / Σ_a var_a(x) = −ln base
std::optional<Estimate> base_of_axes(const Spec& asked, const std::vector<PhaseLine>& lines) {
    const std::vector<std::uint32_t> axis = axis_of_pairs(asked.axes, asked.pairs());
    const std::vector<FrequencyStep> steps = frequency_steps(asked.axes, asked.pairs());
    const auto exponent = [&](std::size_t i) { return 2.0 * steps[i].index / steps[i].width; };
    std::vector<Sums> sums(axis_count(asked.axes));
    std::size_t told = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_of_a_law()) continue;
        sums[axis[i]].add(lines[i].weight(), exponent(i), portable::log(lines[i].theta));
        ++told;
    }
    double spread = 0, covariance = 0;
    for (const Sums& one : sums) spread += one.spread(), covariance += one.covariance();
    if (told < sums.size() + 3 || !(spread > 0)) return std::nullopt;
    const double slope = covariance / spread;
    const auto has_scale = [&](const Sums& one) { return one.has_scale(slope, 1 / spread); };
    if (std::ranges::none_of(sums, has_scale)) return std::nullopt;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_of_a_law()) continue;
        const double own = portable::exp(sums[axis[i]].at(exponent(i), slope));
        if (!(std::abs(lines[i].theta - own) <= 8 * lines[i].error)) return std::nullopt;
    }
    return Estimate{portable::exp(-slope), 1 / std::sqrt(spread)};
}

}  // namespace rope
