// Vaswani et al., Attention Is All You Need, §3.5: PE(p) has sin pθ_i and cos pθ_i.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::ledger {
namespace {

Vector encoding(const FrequencyPlan& plan, double p) {
    Vector lanes;
    for (const PlannedFrequency& pair : plan.pairs) {
        lanes.push_back(cosine(p * pair.inv_freq));
        lanes.push_back(sine(p * pair.inv_freq));
    }
    return lanes;
}

void derive_shift(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    BigReal worst = real(0);
    for (const double p : {0.0, 5.0, 2041.0}) {
        const Vector shifted = rotated(encoding(plan, p), plan, PairLayout::interleaved, 7);
        const Vector wanted = encoding(plan, p + 7);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (const BigReal off = absolute(shifted[i] - wanted[i]); off > worst) worst = off;
    }
    d.number(4 * static_cast<double>(plan.pairs.size()));
    d.number(cosine(7.0 * plan.pairs[1].inv_freq));
    d.conclude(worst < real(0x1p-280));
}

void derive_product(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal ahead = d.number(dot(encoding(plan, 100), encoding(plan, 107)) / 64.0);
    const BigReal behind = d.number(dot(encoding(plan, 100), encoding(plan, 93)) / 64.0);
    d.conclude(absolute(ahead - mean_score(plan, 7)) < real(0x1p-280));
    d.conclude(absolute(ahead - behind) < real(0x1p-280));
}

// Su et al., RoFormer, §3.4.3: by Abel's summation |Σh_i e^{isθ_i}| ≤ max|h_{i+1} − h_i|·Σ|S_j|.

void derive_bound(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    BigReal re = real(0), im = real(0);
    for (std::size_t i = 0; i < 64; ++i) {
        const BigReal h = 1.0 - real(static_cast<double>(i)) / 64.0;
        re = re + h * cosine(100.0 * plan.pairs[i].inv_freq);
        im = im + h * sine(100.0 * plan.pairs[i].inv_freq);
    }
    const BigReal score = d.number(root(re * re + im * im));
    const BigReal bound = d.number(abel_bound(plan, real(100)));
    d.conclude(!(score > bound));
}

void derive_curve(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    for (const double s : {0, 1, 2, 5, 10, 20, 50, 100, 250, 1024, 2048, 4096, 100000})
        d.number(abel_bound(plan, real(s)));
    const std::vector<double> curve = abel_curve(plan, (1 << 17) - 1);
    const auto least = std::ranges::min_element(curve.begin(), curve.begin() + 4097);
    d.number(least - curve.begin());
    d.number(abel_bound(plan, real(static_cast<double>(least - curve.begin()))));
    std::vector<double> octaves;  // the mean of A over 2^k … 2^{k+1} − 1
    for (std::size_t s = 1; s < curve.size(); s *= 2)
        octaves.push_back(std::reduce(&curve[s], &curve[s] + s) / static_cast<double>(s));
    for (std::size_t k = 9; k < octaves.size(); ++k) d.number(octaves[k]);
    const auto rise = std::ranges::adjacent_find(octaves, std::less<>{});
    const double falls_to = d.number(2LL << (rise - octaves.begin()));
    d.conclude(falls_to == 16384);
    d.conclude(octaves.back() > *rise);
}

// The least real u > 0.5 at which A stops falling, by its values.
BigReal first_continuous_rise(const FrequencyPlan& plan) {
    const BigReal step = real(1) / 1024.0;
    BigReal low = real(12);
    while (abel_bound(plan, low + step) < abel_bound(plan, low)) low = low + step;
    return low;
}

void derive_monotone(Derivation& d) {
    const std::vector<double> curve = abel_curve(base_rope(), 256);
    double rises = 0;
    for (std::size_t s = 1; s <= 256; ++s) rises += curve[s] > curve[s - 1] ? 1 : 0;
    for (const unsigned dim : {64U, 128U, 256U, 512U, 768U})
        d.number(first_bound_rise(base_rope(dim), 256).value_or(0));
    d.number(first_continuous_rise(base_rope()));
    const double many = d.number(rises);
    d.conclude(many > 100);
}

void derive_vacuous(Derivation& d) {
    const std::vector<double> curve = abel_curve(base_rope(), 8 * 8192);
    const double least = *std::ranges::min_element(curve);
    const double ratio = 2 * d.number(least);
    d.number(ratio);
    d.conclude(ratio >= 1);
}

// Sun et al., A Length-Extrapolatable Transformer: xPos multiplies pair i's score by ζ_i^{s/512},
// ζ_i = (2i/d + 0.4)/1.4.

BigReal decay_base(std::size_t i) { return (real(static_cast<double>(i)) / 64.0 - -0.4) / 1.4; }

// The mean of ζ_i^{s/512}·cos sθ_i.
BigReal xpos_score(const FrequencyPlan& plan, std::uint64_t distance) {
    const BigReal s = real(static_cast<double>(distance));
    BigReal sum = real(0);
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
        sum = sum + pow(decay_base(i), s / 512.0) * cosine(s * plan.pairs[i].inv_freq);
    return sum / static_cast<double>(plan.pairs.size());
}

struct Course {
    double first_rise = 0, rises = 0, first_negative = 0;  // 0: none
    double least = HUGE_VAL, least_at = 0;
};

// Of the sum of decay_i^s·cos sθ_i, s = 0 … last; decay 1 is RoPE.
Course course(const FrequencyPlan& plan, const std::vector<double>& decay, std::uint64_t last) {
    const std::vector<TurnRate> rates = turn_rates(plan.pairs);
    const ExactRows rows(rates);
    std::vector<double> cos(rates.size()), sin = cos, weight(rates.size(), 1.0);
    Course found;
    double before = HUGE_VAL;
    for (std::uint64_t s = 0; s <= last; ++s) {
        rows.fill_row(s, cos.data(), sin.data());
        double sum = 0;
        for (std::size_t i = 0; i < rates.size(); ++i) {
            sum += weight[i] * cos[i];
            weight[i] *= decay[i];
        }
        const auto at = static_cast<double>(s);
        if (sum > before) {
            ++found.rises;
            if (found.first_rise == 0) found.first_rise = at;
        }
        if (sum < 0 && found.first_negative == 0) found.first_negative = at;
        if (sum < found.least) found.least = sum, found.least_at = at;
        before = sum;
    }
    return found;
}

Course xpos_course(std::uint64_t last) {
    std::vector<double> decay;
    for (std::size_t i = 0; i < 64; ++i)
        decay.push_back(pow(decay_base(i), real(1) / 512.0).to_double());
    return course(base_rope(), decay, last);
}

void derive_decay(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    for (const unsigned s : {512U, 1024U, 2048U, 4096U, 8192U}) d.number(xpos_score(plan, s));
    const Course xpos = xpos_course(300000);
    const double first = d.number(xpos.first_negative);
    const auto at = static_cast<std::uint64_t>(first);
    const BigReal before = d.number(xpos_score(plan, at - 1)),
                  there = d.number(xpos_score(plan, at));
    d.conclude(first > 8192 && before > real(0));
    d.number(xpos.least_at);
    d.number(xpos_score(plan, static_cast<std::uint64_t>(xpos.least_at)));
    const double rope = d.number(course(plan, std::vector(64, 1.0), 2048).first_negative);
    d.conclude(there < real(0) && rope < first);
}

void derive_monotone_decay(Derivation& d) {
    const Course xpos = xpos_course(8192);
    const double first = d.number(xpos.first_rise);
    d.number(xpos.rises);
    d.number(course(base_rope(), std::vector(64, 1.0), 8192).rises);
    d.conclude(first == 12);
}

void derive_absolute(Derivation& d) {
    const auto overflow = [](double largest) {
        return whole_above(512.0 * natural_log(real(largest)) / natural_log(real(3.5)));
    };
    const BigReal single = d.number(overflow(0x1.ffffffp127));
    const BigReal half = d.number(overflow(65520));
    d.conclude(half < single);
}

// Press et al., Train Short, Test Long: Attention with Linear Biases.

void derive_slopes(Derivation& d) {
    const std::vector<BigReal> slopes = alibi_slopes(12);
    d.number(slopes.size());
    for (std::size_t h = 0; h < 4; ++h) d.number(slopes[8 + h]);
    bool between = slopes[8] > slopes[0];
    for (std::size_t h = 0; h < 3; ++h)
        between = between && slopes[9 + h] < slopes[h] && slopes[9 + h] > slopes[h + 1];
    d.conclude(between);
}

void derive_distance(Derivation& d) {
    const std::vector<BigReal> slopes = alibi_slopes(8);
    const BigReal fast = d.number(exponential(-100.0 * slopes.front()));
    const BigReal slow = d.number(exponential(-100.0 * slopes.back()));
    d.conclude(fast < slow && slow < real(1));
}

// Barbero et al., Round and Round We Go! What makes Rotary Positional Encodings useful?

void derive_peak(Derivation& d) {
    const std::vector<double> mean = decay_curves(base_rope(), 2048).mean_cos;
    bool at_r = true;
    for (const unsigned r : {1U, 5U, 100U, 1500U}) {
        std::size_t best = 0;
        const auto score = [&](std::size_t s) { return mean[s > r ? s - r : r - s]; };
        for (std::size_t s = 0; s <= 2048; ++s)
            if (score(s) > score(best)) best = s;
        at_r = d.number(static_cast<double>(best)) == r && at_r;
    }
    d.conclude(at_r);
}

void derive_gaussian(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const auto score = [&](const Vector& k) {
        return dot(rotated(vector_of({1, 2, 3, 4}), plan, PairLayout::half_split, 9), k);
    };
    d.number(score(vector_of({2, -1, 1, 3})));
    const BigReal sum =
        d.number(score(vector_of({2, -1, 1, 3})) + score(vector_of({-2, 1, -1, -3})));
    d.conclude(sum == real(0));
}

void derive_turning_point(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal u = d.number(first_minimum(plan));
    const BigReal at = d.number(cosine_sum(plan, u) / 64.0);
    const BigReal after = d.number(cosine_sum(plan, u - -0.5) / 64.0);
    d.conclude(after > at && u < real(6));
}

void derive_head_gap(Derivation& d) {
    const BigReal fast = d.number(1.0 / (1.0 - cosine(real(1))));
    const BigReal last = base_rope().pairs.back().inv_freq;
    const BigReal slow = d.number(1.0 / (1.0 - cosine(last)));
    d.conclude(slow > 1e6 * fast);
}

void derive_p_rope(Derivation& d) {
    double turning = 0;
    for (int i = 0; i < 128; ++i)
        if (i < 0.75 * 128) ++turning;
    const double kept = d.number(turning);
    d.number(128 - kept);
    const BigReal slowest = d.number(2.0 * exact_pi() / base_rope(256).pairs[95].inv_freq);
    d.conclude(kept == 96 && slowest < real(6000));
}

// Barbero et al., Theorem 6.1: whether two positions can look alike. The angles sθ never come
// back exactly, and come as near as one likes.

// √(2(P − B(s))): how far apart the rotations of a vector of ones are.
BigReal apart(const FrequencyPlan& plan, std::uint64_t s) {
    const auto pairs = static_cast<double>(plan.pairs.size());
    return root(2.0 * pairs * (1.0 - mean_score(plan, s)));
}

void derive_injective(Derivation& d) {
    const FrequencyPlan pair = base_rope(2);
    const auto [least, greatest] = extremes(pair, 1, 2048);
    d.number(greatest);
    d.number(mean_score(pair, greatest));
    const BigReal near = d.number(apart(pair, greatest));
    d.number(least);
    d.number(mean_score(pair, least) - -1.0);
    d.conclude(near > real(0));
}

void nearest_return(Derivation& d, const FrequencyPlan& plan) {
    const auto [least, greatest] = extremes(plan, 1, 1 << 20);
    const double nearest = d.number(greatest);
    d.number(mean_score(plan, greatest));
    d.number(apart(plan, greatest));
    d.number(least);
    d.number(mean_score(plan, least));
    d.conclude(nearest == 1);
}

void derive_gap(Derivation& d) { nearest_return(d, base_rope()); }

void derive_base_500000(Derivation& d) { nearest_return(d, base_rope(128, 5e5)); }

void derive_far_returns(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const std::uint64_t near = extremes(plan, 2048, 131071).greatest_at;
    const std::uint64_t far = extremes(plan, 131072, 1 << 20).greatest_at;
    d.number(near);
    const BigReal first = d.number(mean_score(plan, near));
    d.number(far);
    const BigReal second = d.number(mean_score(plan, far));
    d.conclude(second > first && second > mean_score(plan, 1024));
}

void derive_scaled(Derivation& d) {
    const FrequencyPlan plan = scaled_rope();
    const auto [least, greatest] = extremes(plan, 1, 2048);
    d.number(mean_score(plan, greatest));
    d.number(apart(plan, greatest));
    d.number(mean_score(plan, least));
    const double period = static_cast<double>(plan.pairs.front().turn->denominator);
    const double found = d.number(period);
    d.conclude(found == 8192);
}

constexpr Computation computations[] = {
    {"sinusoidal-shift", derive_shift},
    {"sinusoidal-product", derive_product},
    {"roformer-abel", derive_bound},
    {"roformer-decay", derive_curve},
    {"roformer-monotone", derive_monotone},
    {"roformer-vacuous", derive_vacuous},
    {"xpos-decay", derive_decay},
    {"xpos-monotone", derive_monotone_decay},
    {"xpos-absolute", derive_absolute},
    {"alibi-heads", derive_slopes},
    {"alibi-distance", derive_distance},
    {"barbero-peak", derive_peak},
    {"barbero-gaussian", derive_gaussian},
    {"barbero-decay", derive_turning_point},
    {"barbero-positional-heads", derive_head_gap},
    {"barbero-p-rope", derive_p_rope},
    {"aliasing-injective", derive_injective},
    {"aliasing-gap", derive_gap},
    {"aliasing-base-500000", derive_base_500000},
    {"aliasing-far-returns", derive_far_returns},
    {"aliasing-scaled", derive_scaled},
};

}  // namespace

std::span<const Computation> papers_on_decay() { return computations; }

}  // namespace rope::ledger
