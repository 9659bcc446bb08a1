#include "rope/ledger/quantity/scores.hpp"

#include <array>
#include <cmath>

#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {
namespace {

FrequencyPlan plan(std::uint32_t dim, double base, std::uint64_t n, const char* rope_type) {
    Spec spec{.head_dim = dim, .rotary_dim = dim, .max_position_embeddings = n, .rope_theta = base};
    spec.scaling.rope_type = rope_type;
    return plan_frequencies(spec, exact_precision);
}

// Σ θ_i sin(uθ_i) = −B'(u)
BigReal falling_slope(const FrequencyPlan& plan, const BigReal& u) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs)
        sum = sum + pair.inv_freq * sine(u * pair.inv_freq);
    return sum;
}

// Calls look(s, B̂(s)) for s = first … last until it returns false.
template <class Look>
void for_each_mean(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t last,
                   const Look& look) {
    DecayBlocks blocks(plan);
    std::array<double, DecayBlocks::size> means;
    for (std::uint64_t s = first; s <= last; ++s) {
        if (s == first || s % means.size() == 0)
            blocks.fill_mean_cos(s - s % means.size(), means.data());
        if (!look(s, means[s % means.size()])) return;
    }
}

}  // namespace

FrequencyPlan base_rope(std::uint32_t dim, double base) { return plan(dim, base, 2048, "default"); }

FrequencyPlan scaled_rope(std::uint32_t dim, double base, std::uint64_t n) {
    return plan(dim, base, n, "he_xu");
}

BigReal cosine_sum(const FrequencyPlan& plan, const BigReal& s) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs) sum = sum + cosine(s * pair.inv_freq);
    return sum;
}

BigReal sine_sum(const FrequencyPlan& plan, const BigReal& s) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs) sum = sum + sine(s * pair.inv_freq);
    return sum;
}

BigReal mean_score(const FrequencyPlan& plan, std::uint64_t s) {
    return cosine_sum(plan, real(static_cast<double>(s))) / static_cast<double>(plan.pairs.size());
}

std::optional<std::uint64_t> first_rise(const FrequencyPlan& plan, std::uint64_t last) {
    const double error = DecayBlocks(plan).mean_cos_error();
    std::optional<std::uint64_t> found;
    double before = HUGE_VAL;
    for_each_mean(plan, 0, last, [&](std::uint64_t s, double now) {
        const bool rises =
            std::abs(now - before) > 2 * error ? now > before : exact_mean_cos_step(plan, s) > 0;
        before = now;
        if (rises) found = s;
        return !rises;
    });
    return found;
}

BigReal first_minimum(const FrequencyPlan& plan) {
    // −B' > 0 from 0 on; in steps of a hundredth of the fastest pair's radian up to its sign change
    const BigReal step = 0.01 / plan.pairs.front().inv_freq;
    BigReal low = step;
    while (falling_slope(plan, low + step) > real(0)) low = low + step;
    BigReal high = low + step;
    for (int k = 0; k < 120; ++k) {
        const BigReal middle = (low + high) / 2.0;
        (falling_slope(plan, middle) > real(0) ? low : high) = middle;
    }
    return low;
}

Extremes extremes(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t last) {
    Extremes found{first, first};
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for_each_mean(plan, first, last, [&](std::uint64_t s, double now) {
        if (now < least) least = now, found.least_at = s;
        if (now > greatest) greatest = now, found.greatest_at = s;
        return true;
    });
    return found;
}

}  // namespace rope::ledger
