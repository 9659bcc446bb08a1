// Papers on the dependence of scores on distance.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "rope/checks/decay.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/rows/exact_rows.hpp"

namespace rope::ledger {
namespace {

// Vaswani et al., Attention Is All You Need, §3.5: PE(p) has sin pθ_i and cos pθ_i.
Vector encoding(double p) {
    Vector entries;
    for (const PlannedFrequency& pair : base_rope().pairs) {
        entries.push_back(cosine(p * pair.inv_freq));
        entries.push_back(sine(p * pair.inv_freq));
    }
    return entries;
}

// Sun et al., A Length-Extrapolatable Transformer: xPos multiplies pair i's score by ζ_i^{s/512},
// ζ_i = (2i/d + 0.4)/1.4.

BigReal decay_base(std::size_t i) { return (real(static_cast<double>(i)) / 64.0 - -0.4) / 1.4; }

// Returns the mean of ζ_i^{s/512}·cos sθ_i.
BigReal xpos_score(double distance) {
    const BigReal s = real(distance);
    BigReal sum = real(0);
    for (std::size_t i = 0; i < 64; ++i)
        sum = sum + pow(decay_base(i), s / 512.0) * cosine(s * base_rope().pairs[i].inv_freq);
    return sum / 64.0;
}

// xpos_score at s = 0 … last, in float64.
std::vector<double> xpos_curve(std::uint64_t last) {
    const ExactRows rows(turn_rates(base_rope().pairs));
    std::vector<double> curve, decay, cos(64), sin(64), weight(64, 1.0 / 64);
    for (std::size_t i = 0; i < 64; ++i)
        decay.push_back(pow(decay_base(i), real(1) / 512.0).to_double());
    for (std::uint64_t s = 0; s <= last; ++s) {
        rows.fill_row(s, cos.data(), sin.data());
        curve.push_back(std::inner_product(cos.begin(), cos.end(), weight.begin(), 0.0));
        std::ranges::transform(weight, decay, weight.begin(), std::multiplies<>{});
    }
    return curve;
}

// Returns the number of steps at which a curve rises.
double rises(const std::vector<double>& curve) {
    return std::inner_product(curve.begin() + 1, curve.end(), curve.begin(), 0.0, std::plus<>{},
                              std::greater<>{});
}

// Returns the number of steps at which a curve changes its sign.
double sign_changes(const std::vector<double>& curve) {
    return std::inner_product(
        curve.begin() + 1, curve.end(), curve.begin(), 0.0, std::plus<>{},
        [](double now, double before) { return std::signbit(now) != std::signbit(before); });
}

// Returns the first s at which a curve is negative.
double first_negative(const std::vector<double>& curve) {
    const auto is_negative = [](double y) { return y < 0; };
    return static_cast<double>(std::ranges::find_if(curve, is_negative) - curve.begin());
}

// Barbero et al., Theorem 6.1: how similar two positions can become.
void nearest_return(Derivation& d, const FrequencyPlan& plan) {
    const auto [least, greatest] = extremes(plan, 1, 1 << 20);
    d.number(greatest, mean_score(plan, greatest), apart(plan, static_cast<double>(greatest)),
             least, mean_score(plan, least));
    d.conclude(greatest == 1);
}

}  // namespace

void papers_on_decay(Computations& compute) {
    static const FrequencyPlan &base = base_rope(), &scaled = scaled_rope();
    compute["sinusoidal-shift"] = [](Derivation& d) {
        d.number(4 * base.pairs.size(), cosine(7.0 * base.pairs[1].inv_freq));
        d.conclude(std::ranges::all_of(std::array{0.0, 5.0, 2041.0}, [](double p) {
            return same(rotated(encoding(p), PairLayout::interleaved, 7), encoding(p + 7));
        }));
    };
    compute["sinusoidal-product"] = [](Derivation& d) {
        const auto [ahead, behind] = d.number(dot(encoding(100), encoding(107)) / 64.0,
                                              dot(encoding(100), encoding(93)) / 64.0);
        d.conclude(same(ahead, mean_score(base, 7)));
        d.conclude(same(ahead, behind));
    };
    // Su et al., RoFormer, §3.4.3
    compute["roformer-abel"] = [](Derivation& d) {
        BigReal re = real(0), im = real(0);
        for (std::size_t i = 0; i < 64; ++i) {
            const BigReal h = 1.0 - real(static_cast<double>(i)) / 64.0;
            re = re + h * cosine(100.0 * base.pairs[i].inv_freq);
            im = im + h * sine(100.0 * base.pairs[i].inv_freq);
        }
        const auto [score, bound] = d.number(root(re * re + im * im), abel_bound(base, real(100)));
        d.conclude(!(score > bound));
    };
    compute["roformer-decay"] = [](Derivation& d) {
        for (const double s : {0, 1, 2, 5, 10, 20, 50, 100, 250, 1024, 2048, 4096, 100000})
            d.number(abel_bound(base, real(s)));
        const std::vector<double> curve = decay_curves(base, (1 << 17) - 1).roformer;
        const auto least =
            std::ranges::min_element(curve.begin(), curve.begin() + 4097) - curve.begin();
        d.number(least, abel_bound(base, real(static_cast<double>(least))));
        std::vector<double> octaves;  // means of A over 2^k … 2^{k+1} − 1
        for (std::size_t s = 1; s < curve.size(); s *= 2)
            octaves.push_back(std::reduce(&curve[s], &curve[s] + s) / static_cast<double>(s));
        for (std::size_t k = 9; k < octaves.size(); ++k) d.number(octaves[k]);
        const auto rise = std::ranges::adjacent_find(octaves, std::less<>{});
        d.conclude(d.number(2LL << (rise - octaves.begin())) == 16384);
        d.conclude(octaves.back() > *rise);
    };
    compute["roformer-monotone"] = [](Derivation& d) {
        for (const unsigned dim : {64U, 128U, 256U, 512U, 768U})
            d.number(first_bound_rise(base_rope(dim), 256).value_or(0));
        double fewest = 256;
        for (const unsigned dim : {64U, 128U, 256U, 512U, 768U})
            fewest = std::min(fewest, d.number(rises(decay_curves(base_rope(dim), 256).roformer)));
        const auto [near, far] = d.number(abel_bound(base, real(0)), abel_bound(base, real(256)));
        d.conclude(fewest == 53 && far < near);
    };
    compute["roformer-vacuous"] = [](Derivation& d) {
        const std::vector<double> curve = decay_curves(base, 65536).roformer;
        const double least = d.number(*std::ranges::min_element(curve));
        d.conclude(d.number(2 * least) >= 1);
    };
    compute["xpos-decay"] = [](Derivation& d) {
        for (const double s : {512, 1024, 2048, 4096, 8192}) d.number(xpos_score(s));
        const std::vector<double> curve = xpos_curve(300000);
        const double at = first_negative(curve);
        const auto [first, before, there] = d.number(at, xpos_score(at - 1), xpos_score(at));
        d.conclude(first > 8192 && before > real(0));
        const auto least = std::ranges::min_element(curve) - curve.begin();
        d.number(sign_changes(curve));
        d.number(least, xpos_score(static_cast<double>(least)));
        const double rope = d.number(first_negative(decay_curves(base, 2048).mean_cos));
        d.conclude(there < real(0) && rope < first);
    };
    compute["xpos-monotone"] = [](Derivation& d) {
        const std::vector<double> curve = xpos_curve(8192);
        const auto rise = std::ranges::adjacent_find(curve, std::less<>{}) - curve.begin() + 1;
        const double first = d.number(rise);
        d.number(rises(curve), rises(decay_curves(base, 8192).mean_cos));
        d.conclude(first == 12);
    };
    compute["xpos-absolute"] = [](Derivation& d) {
        const auto reaches = [](double factor) {
            return whole_above(512.0 * natural_log(real(factor)) / natural_log(real(3.5)));
        };
        const auto [single, half] = d.number(reaches(0x1.ffffffp127), reaches(65520));
        const auto [single_q, half_q] = d.number(reaches(0x1p126), reaches(0x1p14));
        const auto factor = [](const BigReal& m) { return pow(real(3.5), m / 512.0); };
        d.conclude(!(factor(half_q - 1.0) > real(0x1p14)) && half_q < half && single_q < single);
        d.conclude(factor(half_q) > real(0x1p14) && factor(half) > real(65520));
    };
    // Press et al., Train Short, Test Long: Attention with Linear Biases.
    compute["alibi-heads"] = [](Derivation& d) {
        const std::vector<BigReal> slopes = alibi_slopes(12);
        d.number(slopes.size());
        for (std::size_t h = 0; h < 4; ++h) d.number(slopes[8 + h]);
        bool between = slopes[8] > slopes[0];
        for (std::size_t h = 0; h < 3; ++h)
            between = between && slopes[9 + h] < slopes[h] && slopes[9 + h] > slopes[h + 1];
        d.conclude(between);
    };
    compute["alibi-distance"] = [](Derivation& d) {
        const std::vector<BigReal> slopes = alibi_slopes(8);
        const auto [fast, slow] =
            d.number(exponential(-100.0 * slopes.front()), exponential(-100.0 * slopes.back()));
        d.conclude(fast < slow && slow < real(1));
    };
    // Barbero et al., Round and Round We Go! What makes Rotary Positional Encodings useful?
    compute["barbero-peak"] = [](Derivation& d) {
        const std::vector<double> mean = decay_curves(base, 2048).mean_cos;
        bool at_r = true;
        for (const std::size_t r : {1U, 5U, 100U, 1500U}) {
            std::vector<double> score;
            for (std::size_t s = 0; s <= 2048; ++s) score.push_back(mean[s > r ? s - r : r - s]);
            const auto best = std::ranges::max_element(score) - score.begin();
            at_r = d.number(best) == static_cast<double>(r) && at_r;
        }
        d.conclude(at_r);
    };
    compute["barbero-gaussian"] = [](Derivation& d) {
        const Vector q = rotated(vector_of({1, 2, 3, 4}), PairLayout::half_split, 9);
        const BigReal score = dot(q, vector_of({2, -1, 1, 3}));
        const auto [own, both, of_itself] =
            d.number(score, score + dot(q, vector_of({-2, 1, -1, -3})),
                     2.0 * cosine_sum(base_rope(4), real(9)));
        d.conclude(both == real(0) && !(own == real(0)) && of_itself > real(0.1));
    };
    compute["barbero-decay"] = [](Derivation& d) {
        const BigReal u = d.number(first_minimum(base));
        const auto [at, after] =
            d.number(cosine_sum(base, u) / 64.0, cosine_sum(base, u - -0.5) / 64.0);
        d.conclude(after > at && u < real(6));
    };
    compute["barbero-positional-heads"] = [](Derivation& d) {
        const auto [fast, slow] = d.number(1.0 / (1.0 - cosine(real(1))),
                                           1.0 / (1.0 - cosine(base.pairs.back().inv_freq)));
        d.conclude(slow > 1e6 * fast);
    };
    compute["barbero-p-rope"] = [](Derivation& d) {
        const auto [kept, others, slowest] =
            d.number(0.75 * 128, 0.25 * 128, wavelength(base_rope(256).pairs[95]));
        d.conclude(kept == 96 && slowest < real(6000));
    };
    compute["aliasing-injective"] = [](Derivation& d) {
        const FrequencyPlan pair = base_rope(2);
        const auto [least, greatest] = extremes(pair, 1, 2048);
        const BigReal chord = 2.0 * absolute(sine(real(static_cast<double>(greatest) / 2)));
        d.number(greatest, mean_score(pair, greatest), chord, least,
                 mean_score(pair, least) - -1.0);
        d.conclude(chord > real(0));
    };
    compute["aliasing-gap"] = [](Derivation& d) { nearest_return(d, base); };
    compute["aliasing-base-500000"] = [](Derivation& d) { nearest_return(d, base_rope(128, 5e5)); };
    compute["aliasing-far-returns"] = [](Derivation& d) {
        const std::uint64_t near = extremes(base, 2048, 131071).greatest_at;
        const std::uint64_t far = extremes(base, 131072, 1 << 20).greatest_at;
        const auto [at, first, further, second] =
            d.number(near, mean_score(base, near), far, mean_score(base, far));
        d.conclude(second > first && second > mean_score(base, 1024));
    };
    compute["aliasing-scaled"] = [](Derivation& d) {
        const auto [least, greatest] = extremes(scaled, 1, 2048);
        d.number(mean_score(scaled, greatest), apart(scaled, 1), mean_score(scaled, least));
        double whole = 0;
        bool later = true;
        for (const PlannedFrequency& pair : scaled.pairs) {
            const BigReal period = wavelength(pair);
            if (!same(period, nearest_whole(period))) continue;
            d.number(nearest_whole(period));
            later = later && same(period, 8192.0 * pow(real(10), real(whole++)));
        }
        d.conclude(d.number(whole) == 4 && later && greatest == 1);
    };
}

}  // namespace rope::ledger
