// Statements of papers from 2023 on, as far as numbers without trained weights settle them.
#include <cmath>
#include <utility>

#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::ledger {
namespace {

// Pairs first … first + count − 1 alone.
FrequencyPlan part_of(FrequencyPlan plan, std::size_t first, std::size_t count) {
    const auto begin = plan.pairs.begin() + static_cast<std::ptrdiff_t>(first);
    plan.pairs = {begin, begin + static_cast<std::ptrdiff_t>(count)};
    return plan;
}

// Dynamic NTK (YaRN, §3.3), L = 2048 and factor 2, with a cache of rotated keys.

FrequencyPlan dynamic_rope(std::uint64_t length) {
    Spec spec{.max_position_embeddings = 2048, .seq_len = length};
    spec.scaling = {.rope_type = "dynamic", .factor = 2};
    return plan_frequencies(spec, exact_precision);
}

// The score per pair of equal tokens, the query at m under one plan and the key at n under another.
BigReal mixed_score(const FrequencyPlan& of_query, double m, const FrequencyPlan& of_key,
                    double n) {
    BigReal sum = real(0);
    for (std::size_t i = 0; i < of_query.pairs.size(); ++i)
        sum = sum + cosine(m * of_query.pairs[i].inv_freq - n * of_key.pairs[i].inv_freq);
    return sum / static_cast<double>(of_query.pairs.size());
}

void derive_cached_keys(Derivation& d) {
    const FrequencyPlan now = dynamic_rope(4096), then = dynamic_rope(2101);
    const BigReal right = d.number(mixed_score(now, 4095, now, 2100));
    const BigReal cached = d.number(mixed_score(now, 4095, then, 2100));
    const BigReal first = d.number(mixed_score(now, 4095, now, 0));
    const BigReal first_cached = d.number(mixed_score(now, 4095, dynamic_rope(2048), 0));
    d.conclude(first == first_cached);
    d.conclude(absolute(right - cached) > real(0.1));
}

// TAPA, arXiv 2509.12635, Theorems 2.1 and 2.2

void derive_near_range(Derivation& d) {
    const auto reach = [](double base) { return root(root(real(base))) / 8.0; };
    const BigReal small = d.number(reach(1e4)), large = d.number(reach(5e5));
    d.conclude(!(small > real(2)) && large > real(3) && large < real(4));
}

void derive_dependence(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal ratio = d.number(plan.pairs[16].inv_freq / plan.pairs[32].inv_freq);
    d.conclude(absolute(ratio - real(10)) < rounding_residue());
}

// Xiong et al., Effective Long-Context Scaling, appendix B

void derive_granularity(Derivation& d) {
    const BigReal ln_b = natural_log(real(1e4));
    const BigReal abf = d.number(1.0 / natural_log(real(5e5))), pi = d.number(0.25 / ln_b);
    d.number(abf / pi);
    const auto apart = [](const FrequencyPlan& plan, double s) {
        return root(2.0 * (1.0 - cosine_sum(plan, real(s)) / 64.0));
    };
    const BigReal exact_abf = d.number(apart(base_rope(128, 5e5), 1));
    const BigReal exact_pi_scaled = d.number(apart(base_rope(), 0.25));
    const BigReal ratio = d.number(exact_abf / exact_pi_scaled);
    d.conclude(abf > pi && ratio > abf / pi);
}

// LongRoPE2, (7)

void derive_theoretical_dimension(Derivation& d) {
    const BigReal phi = d.number(full_turn_pairs(96, 1e4, 2048));
    const BigReal llama = d.number(full_turn_pairs(128, 5e5, 8192));
    const BigReal last = d.number(wavelength(base_rope(96).pairs[47]));
    const BigReal covered = d.number(100.0 * 2048.0 / last);
    d.conclude(whole_above(phi) == real(31) && whole_above(llama) == real(35) && covered < real(5));
}

// Phase modulation, 2602.10959

void derive_base_limits(Derivation& d) {
    const BigReal slowest = d.number(wavelength(base_rope().pairs.back()));
    const BigReal stated = d.number(2e4 * exact_pi());
    // the sines and cosines of the slowest pair as float32 stores them; both are monotone here
    const FrequencyPlan slow = part_of(base_rope(128, 1e12), 63, 1);
    const ExactRows rows(turn_rates(slow.pairs));
    double sines = 1, cosines = 1, cos = 1, sin = 0;
    for (std::uint64_t m = 1; m < 131072; ++m) {
        double c, s;
        rows.fill_row(m, &c, &s);
        c = round_to(Format::float32, c), s = round_to(Format::float32, s);
        sines += s != sin ? 1 : 0, cosines += c != cos ? 1 : 0;
        cos = c, sin = s;
    }
    const double distinct = d.number(sines);
    d.number(cosines);
    const double in_bfloat16 =
        d.number(stored_rows(base_rope(128, 5e5), 8191, Format::bfloat16).distinct);
    d.conclude(slowest < stated && distinct == 131072 && in_bfloat16 == 8192);
}

// The logarithmic decay of B̂, which follows from the sum as an integral

void derive_logarithmic_decay(Derivation& d) {
    BigReal gamma = real(0);
    mpfr_const_euler(gamma.raw(), MPFR_RNDN);
    const BigReal ln_b = natural_log(real(1e4));
    const FrequencyPlan plan = base_rope();
    d.number(100.0 * natural_log(real(2)) / ln_b);
    bool near = true;
    for (const unsigned first : {64U, 256U, 1024U}) {
        BigReal scores = real(0), law = real(0);
        for (unsigned s = first; s < 2 * first; ++s) {
            scores = scores + mean_score(plan, s);
            law = law + (natural_log(real(1e4) / static_cast<double>(s)) - gamma) / ln_b;
        }
        const BigReal mean = d.number(scores / static_cast<double>(first));
        const BigReal stated = d.number(law / static_cast<double>(first));
        near = near && absolute(mean - stated) < real(0.01);
    }
    d.conclude(near);
}

// HoPE (high-frequency), 2410.21216, and FoPE, 2412.17739: slow pairs are kept still

void derive_still_pairs(Derivation& d) {
    const auto least = [&](double base, double length) {
        const FrequencyPlan plan = base_rope(128, base);
        const std::size_t turning = full_turns(plan, length);
        const FrequencyPlan fast = part_of(plan, 0, turning);
        const auto still = static_cast<double>(64 - turning);
        d.number(still);
        d.number(still / 64);
        const std::uint64_t at = extremes(fast, 1, 1 << 20).least_at;
        d.number(at);
        return d.number((cosine_sum(fast, real(static_cast<double>(at))) + real(still)) / 64.0);
    };
    const BigReal large = least(5e5, 8192);
    d.conclude(large > real(0));
    const BigReal small = least(1e4, 4096);
    d.conclude(small < real(0));
}

// HoPE (hyperbolic), 2509.05218

void derive_hyperbolic(Derivation& d) {
    const auto score = [](double a, double theta, double s) {
        return 0.5 * (exponential(real((theta - a) * s)) + exponential(real(-(theta + a) * s)));
    };
    const BigReal equal_5 = d.number(score(0.125, 0.125, 5)),
                  equal_50 = d.number(score(0.125, 0.125, 50));
    d.conclude(equal_50 < equal_5 && equal_50 > real(0.5));
    const BigReal near = d.number(score(0.05, 0.1, 5)), far = d.number(score(0.05, 0.1, 10));
    d.conclude(far > near);
}

// VideoRoPE, 2502.05173: the sections (16, 24, 24) of Qwen2-VL, base 1000000

void derive_time_pairs(Derivation& d) {
    const FrequencyPlan plan = base_rope(128, 1e6);
    const FrequencyPlan time = part_of(plan, 0, 16), last = part_of(plan, 48, 16);
    d.number(wavelength(time.pairs.front()));
    d.number(wavelength(time.pairs.back()));
    const auto [least, unused] = extremes(time, 1, 2000);
    const std::uint64_t again = extremes(time, 161, 2000).greatest_at;
    d.number(again);
    const BigReal returned = d.number(mean_score(time, again));
    const BigReal lowest = d.number(mean_score(time, least));
    d.number(mean_score(last, 2000));
    d.conclude(returned > real(0.4) && lowest < real(0) && !first_rise(last, 2000));
}

// STRING, 2502.02562; ComRoPE, 2506.03737; LieRE, 2406.10322

// Three rows of a matrix, one after the other.
using Matrix3 = Vector;

Matrix3 product(const Matrix3& a, const Matrix3& b) {
    Matrix3 c;
    for (std::size_t k = 0; k < 9; ++k) {
        const std::size_t row = k / 3 * 3, column = k % 3;
        c.push_back(a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]);
    }
    return c;
}

// exp of the skew matrix of v = (x, y, z), by Rodrigues: I + sin s/s·L + (1 − cos s)/s²·L², s = |v|
Matrix3 turned_about(double x, double y, double z) {
    const BigReal s = root(real(x * x + y * y + z * z));
    const Matrix3 l = vector_of({0, -z, y, z, 0, -x, -y, x, 0}), square = product(l, l);
    Matrix3 r = vector_of({1, 0, 0, 0, 1, 0, 0, 0, 1});
    for (std::size_t k = 0; k < 9; ++k)
        r[k] = r[k] + sine(s) / s * l[k] + (1.0 - cosine(s)) / (s * s) * square[k];
    return r;
}

BigReal largest_difference(const Matrix3& a, const Matrix3& b) {
    BigReal most = real(0);
    for (std::size_t k = 0; k < 9; ++k)
        if (const BigReal off = absolute(a[k] - b[k]); off > most) most = off;
    return most;
}

// Position (x, y) turns by exp(xL₁ + yL₂); L₁ about the first axis, L₂ about the second or the
// first.
void derive_commuting(Derivation& d) {
    const auto at = [](double x, double y, bool commute) {
        return commute ? turned_about(x + 2 * y, 0, 0) : turned_about(x, y, 0);
    };
    const auto off = [&](bool commute) {  // R(1, 0)ᵀR(0, 1) − R(−1, 1); R(p)ᵀ = R(−p)
        return largest_difference(product(at(-1, 0, commute), at(0, 1, commute)),
                                  at(-1, 1, commute));
    };
    const BigReal same = d.number(BigReal(off(true), Precision{280}));
    d.conclude(same < rounding_residue());
    d.conclude(d.number(off(false)) > real(0.1));
}

// GRAPE, 2512.07805: exp(sJ) in a plane

void derive_exponential_form(Derivation& d) {
    const BigReal s = real(2), c = cosine(s), sn = sine(s);
    // L = sJ, L² = −s²I
    const Matrix2 form{1.0 - (1.0 - c) / (s * s) * (s * s), sn / s * s, -1.0 * (sn / s * s),
                       1.0 - (1.0 - c) / (s * s) * (s * s)};
    d.number(form.a);
    d.number(form.b);
    d.conclude(distance(form, rotation(s)) < rounding_residue());
}

// DRoPE, 2503.15029

void derive_headings(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal turn = 2.0 * exact_pi();
    const BigReal rope = d.number(cosine_sum(plan, turn) / 64.0), unit = d.number(cosine(turn));
    d.conclude(rope < real(1) && absolute(unit - 1.0) < rounding_residue());
}

// Rotary offset features, 2503.01832

void derive_partial_cycles(Derivation& d) {
    const double llama_2 = d.number(full_turns(base_rope(), 4096));
    const double llama_3 = d.number(full_turns(base_rope(128, 5e5), 8192));
    d.number(64 - llama_2);
    d.number(64 - llama_3);
    d.conclude(llama_2 == 46 && llama_3 == 35);
}

// Selective RoPE, 2511.17388; PaTH, 2505.16381: φ_m is the sum of steps that the tokens choose

void derive_data_dependent(Derivation& d) {
    const auto relative = [](double first, double second) {  // from m to m + 2
        return rotation(real(first) + real(second) + real(1)) * transposed(rotation(real(1)));
    };
    const BigReal one = d.number(relative(0.25, 0.5).a), other = d.number(relative(0.25, 1).a);
    d.conclude(distance(relative(0.25, 0.5), rotation(real(0.75))) < rounding_residue());
    d.conclude(absolute(one - other) > real(0.1));
}

constexpr Computation computations[] = {
    {"dynamic-cached-keys", derive_cached_keys},
    {"tapa-near-range", derive_near_range},
    {"tapa-independence", derive_dependence},
    {"abf-granularity", derive_granularity},
    {"longrope2-dimension", derive_theoretical_dimension},
    {"phase-base-limits", derive_base_limits},
    {"log-decay", derive_logarithmic_decay},
    {"hope-still-pairs", derive_still_pairs},
    {"hope-hyperbolic", derive_hyperbolic},
    {"videorope-time", derive_time_pairs},
    {"string-commuting", derive_commuting},
    {"grape-exponential", derive_exponential_form},
    {"drope-headings", derive_headings},
    {"offset-partial-cycles", derive_partial_cycles},
    {"selective-relative", derive_data_dependent},
};

}  // namespace

std::span<const Computation> papers_since_2023() { return computations; }

}  // namespace rope::ledger
