#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "rope/checks/decay.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {

BigReal wavelength(const PlannedFrequency& pair) { return 2.0 * exact_pi() / pair.inv_freq; }

BigReal full_turn_pairs(double dim, double base, double length) {
    return dim / 2 * natural_log(length / (2.0 * exact_pi())) / natural_log(real(base));
}

std::size_t slow_pairs(const FrequencyPlan& plan, const BigReal& angle, double length) {
    const auto is_slow = [&](const PlannedFrequency& pair) {
        return pair.inv_freq * length < angle;
    };
    return static_cast<std::size_t>(std::ranges::count_if(plan.pairs, is_slow));
}

std::size_t full_turns(const FrequencyPlan& plan, double length) {
    return plan.pairs.size() - slow_pairs(plan, 2.0 * exact_pi(), length);
}

namespace {

FrequencyPlan plan(std::uint32_t dim, double base, std::uint64_t n, const char* rope_type) {
    Spec spec{.head_dim = dim, .rotary_dim = dim, .max_position_embeddings = n, .rope_theta = base};
    spec.scaling.rope_type = rope_type;
    return plan_frequencies(spec, exact_precision);
}

std::optional<std::uint64_t> rise_of(const FrequencyPlan& plan, DecayCurve curve,
                                     std::uint64_t last) {
    DecayBlocks blocks(plan);
    const auto rise = rope::first_rise(blocks, plan, curve, last);
    return rise ? std::optional(rise->distance) : std::nullopt;
}

}  // namespace

const FrequencyPlan& base_rope() {
    static const FrequencyPlan rope = base_rope(128);
    return rope;
}

FrequencyPlan base_rope(std::uint32_t dim, double base) { return plan(dim, base, 2048, "default"); }

const FrequencyPlan& scaled_rope() {
    static const FrequencyPlan rope = scaled_rope(128);
    return rope;
}

FrequencyPlan scaled_rope(std::uint32_t dim, double base, std::uint64_t n) {
    return plan(dim, base, n, "he_xu");
}

BigReal sum_over(const FrequencyPlan& plan, const std::function<BigReal(const BigReal&)>& of) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs) sum = sum + of(pair.inv_freq);
    return sum;
}

BigReal mean_score(const FrequencyPlan& plan, std::uint64_t s) {
    return cosine_sum(plan, real(static_cast<double>(s))) / static_cast<double>(plan.pairs.size());
}

BigReal apart(const FrequencyPlan& plan, double s) {
    return 2.0 * root(static_cast<double>(plan.pairs.size()) - cosine_sum(plan, real(s)));
}

std::optional<std::uint64_t> first_rise(const FrequencyPlan& plan, std::uint64_t last) {
    return rise_of(plan, DecayCurve::mean_cos, last);
}

std::optional<std::uint64_t> first_bound_rise(const FrequencyPlan& plan, std::uint64_t last) {
    return rise_of(plan, DecayCurve::roformer, last);
}

BigReal first_minimum(const FrequencyPlan& plan) {
    const auto falls = [&](const BigReal& u) {  // −B'(u) = Σ θ_i sin(uθ_i) > 0
        return sum_over(plan, [&](const BigReal& theta) { return theta * sine(u * theta); }) >
               real(0);
    };
    // from 0 in steps of 1/100 radian of the fastest pair, up to the sign change
    const BigReal step = 0.01 / plan.pairs.front().inv_freq;
    BigReal low = step;
    while (falls(low + step)) low = low + step;
    BigReal high = low + step;
    for (int k = 0; k < 120; ++k) {
        const BigReal middle = (low + high) / 2.0;
        (falls(middle) ? low : high) = middle;
    }
    return low;
}

Extremes extremes(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t last) {
    Extremes found{first, first};
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    DecayBlocks blocks(plan);
    std::array<double, DecayBlocks::size> means;
    for (std::uint64_t s = first; s <= last; ++s) {
        if (s == first || s % means.size() == 0)
            blocks.fill_mean_cos(s - s % means.size(), means.data());
        const double now = means[s % means.size()];
        if (now < least) least = now, found.least_at = s;
        if (now > greatest) greatest = now, found.greatest_at = s;
    }
    return found;
}

BigReal abel_bound(const FrequencyPlan& plan, const BigReal& s) {
    return sum_of_moduli(plan, s) / static_cast<double>(plan.pairs.size());
}

std::vector<BigReal> alibi_slopes(int heads) {
    const auto slope = [](int head, int of) {
        return pow(real(2), real(-8.0 * head) / static_cast<double>(of));
    };
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    std::vector<BigReal> slopes;
    for (int h = 1; h <= power; ++h) slopes.push_back(slope(h, power));
    for (int h = 1; static_cast<int>(slopes.size()) < heads; h += 2)
        slopes.push_back(slope(h, 2 * power));
    return slopes;
}

BigReal attended(double query, std::span<const double> tokens) {
    BigReal weights = real(0), sum = real(0);
    for (const double token : tokens) {
        const BigReal weight = exponential(real(query * token));
        weights = weights + weight;
        sum = sum + weight * token;
    }
    return sum / weights;
}

}  // namespace rope::ledger
