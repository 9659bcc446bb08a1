#include "rope/frequency/difference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/frequency/frequency.hpp"

namespace rope {
namespace {

Contrast contrast(double a, double b) {
    const double larger = std::max(std::abs(a), std::abs(b));
    return {a, b, larger == 0 ? 0 : std::abs(a - b) / larger};
}

// Subtracted before it is rounded: two doubles could hide a difference below 2^-53.
Contrast contrast(const BigReal& a, const BigReal& b) {
    Contrast both = contrast(a.to_double(), b.to_double());
    const double larger = std::max(both.a, both.b);  // neither is negative
    if (larger != 0) both.relative = std::abs((a - b).to_double()) / larger;
    return both;
}

AngleDifference angle_difference(std::span<const double> rates, std::uint64_t position) {
    const auto m = static_cast<double>(position);
    const auto worst = std::max_element(rates.begin(), rates.end());
    const auto lost = std::count_if(rates.begin(), rates.end(),
                                    [&](double rate) { return m * rate >= std::numbers::pi / 2; });
    return {position, m * *worst, static_cast<std::uint32_t>(worst - rates.begin()),
            static_cast<std::uint32_t>(lost)};
}

}  // namespace

Difference difference(const Spec& a, const Spec& b, std::span<const std::uint64_t> positions) {
    const FrequencyPlan plan_a = plan_frequencies(a, exact_precision);
    const FrequencyPlan plan_b = plan_frequencies(b, exact_precision);
    Difference result;
    result.a = a;
    result.b = b;
    std::vector<double> rates;  // |θ_a − θ_b|
    for (std::size_t i = 0; i < std::min(plan_a.pairs.size(), plan_b.pairs.size()); ++i) {
        const BigReal& theta_a = plan_a.pairs[i].inv_freq;
        const BigReal& theta_b = plan_b.pairs[i].inv_freq;
        result.inv_freq.push_back(contrast(theta_a, theta_b));
        rates.push_back(std::abs((theta_a - theta_b).to_double()));
    }
    const auto worst =
        std::ranges::max_element(result.inv_freq, {}, [](const Contrast& c) { return c.relative; });
    result.worst_pair = static_cast<std::uint32_t>(worst - result.inv_freq.begin());
    result.attention_factor = contrast(plan_a.attention_factor, plan_b.attention_factor);
    result.softmax_scale_factor =
        contrast(plan_a.softmax_scale_factor, plan_b.softmax_scale_factor);
    for (const std::uint64_t m : positions) result.angles.push_back(angle_difference(rates, m));
    return result;
}

std::vector<std::string> differing(const Difference& difference, double tolerance) {
    const Spec &a = difference.a, &b = difference.b;
    std::vector<std::string> names;
    const auto add_if = [&](bool apart, const char* name) {
        if (apart) names.emplace_back(name);
    };
    const auto differs = [tolerance](const Contrast& both) {
        return !(both.relative <= tolerance);
    };
    add_if(a.head_dim != b.head_dim, "head_dim");
    add_if(a.rotary_dim != b.rotary_dim, "rotary_dim");
    add_if(a.rotary_offset != b.rotary_offset, "rotary_offset");
    add_if(a.layout != b.layout, "layout");
    add_if(a.direction != b.direction, "direction");
    add_if(a.pairs() == b.pairs() &&
               axis_of_pairs(a.axes, a.pairs()) != axis_of_pairs(b.axes, b.pairs()),
           "axes");
    add_if(differs(difference.worst()), "inv_freq");
    add_if(differs(difference.attention_factor), "attention_factor");
    return names;
}

}  // namespace rope
