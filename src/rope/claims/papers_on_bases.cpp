// Men et al., Base of RoPE Bounds Context Length: the statements around its Table 2.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::ledger {
namespace {

void derive_expectation(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal trace = d.number(2.0 * cosine_sum(plan, real(1000)));
    const BigReal sum = d.number(128.0 * mean_score(plan, 1000));
    d.conclude(absolute(trace - sum) < real(0x1p-290));
}

void derive_decrease(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const auto rise = static_cast<double>(first_rise(plan, 64).value());
    const double first = d.number(rise);
    const BigReal before = d.number(64.0 * mean_score(plan, 11));
    const BigReal after = d.number(64.0 * mean_score(plan, 12));
    d.conclude(after > before && first == 12);
}

void derive_first_negative(Derivation& d) {
    const auto last = [](double base, std::uint64_t farthest) {
        const BaseScan scan = scan_sum(CosineSum({64, 0}, ln(base)), farthest, farthest);
        return static_cast<double>(scan.first_negative.value() - 1);
    };
    const double small = d.number(last(1e4, 4096));
    const double large = d.number(last(5e5, 32768));
    d.conclude(large > small);
}

void derive_power_law(Derivation& d) {
    // p and a of base = a·L^p by least squares of logarithms
    const auto fit = [&](const std::array<double, 11>& bases) {
        BigReal x = real(0), y = real(0), xx = real(0), xy = real(0);
        double length = 1000;
        for (const double base : bases) {
            const BigReal u = natural_log(real(std::min(length, 1e6))), v = natural_log(real(base));
            x = x + u, y = y + v, xx = xx + u * u, xy = xy + u * v;
            length *= 2;
        }
        const BigReal power = (11.0 * xy - x * y) / (11.0 * xx - x * x);
        d.number(power);
        d.number(exponential((y - power * x) / 11.0));
        return power;
    };
    const BigReal published =
        fit({4.3e3, 1.6e4, 2.7e4, 8.4e4, 3.1e5, 6.4e5, 2.1e6, 7.8e6, 3.6e7, 6.4e7, 5.1e8});
    d.conclude(absolute(published - real(1.628)) < real(0.01));
    const BigReal right =
        fit({4.3e3, 1.6e4, 2.7e4, 8.4e4, 3.2e5, 6.3e5, 2.1e6, 7.8e6, 3.3e7, 6.5e7, 3.5e8});
    d.conclude(right < published);
}

// Ci(x) = γ + ln x + Σ_k (−1)^k x^{2k}/(2k·(2k)!)
BigReal cosine_integral(const BigReal& x) {
    BigReal gamma = real(0);
    mpfr_const_euler(gamma.raw(), MPFR_RNDN);
    BigReal sum = gamma + natural_log(x), term = real(1);
    for (int k = 1; k < 60; ++k) {
        term = -1.0 * term * x * x / ((2.0 * k - 1) * (2.0 * k));
        sum = sum + term / (2.0 * k);
    }
    return sum;
}

void derive_limit(Derivation& d) {
    BigReal low = real(0.5), high = real(0.75);
    for (int k = 0; k < 200; ++k) {
        const BigReal middle = (low + high) / 2.0;
        (cosine_integral(middle) < real(0) ? low : high) = middle;
    }
    const BigReal zero = d.number(low);
    const BigReal slope = d.number(1.0 / zero);
    d.conclude(slope > real(1.6) && slope < real(1.65));
}

void derive_passing(Derivation& d) {
    const BaseScan scan = scan_sum(CosineSum(base_rope(64), 32), 1 << 20, 1 << 20);
    const double least = d.number(scan.least);
    const double turning = static_cast<double>(
        scan_sum(CosineSum(base_rope(64), 0), 8192, 8192).first_negative.value_or(0));
    d.number(turning);
    d.conclude(least >= 0 && turning > 0);
}

// Men et al., Base of RoPE Bounds Context Length, Table 2: the least base of each context length,
// to keep B(s) = Σcos sθ_i ≥ 0. Read with d = 128, 1k = 1000 and bases of two digits, under which
// the rows agree best.

constexpr PairCounts pairs{64, 0};

struct Row {
    std::uint64_t length;
    double base;             // as published
    bool all_bases = false;  // whether those of any digits are searched, too
};
constexpr std::array<Row, 11> rows{{
    {1000, 4.3e3, true},
    {2000, 1.6e4, true},
    {4000, 2.7e4, true},
    {8000, 8.4e4, true},
    {16000, 3.1e5},
    {32000, 6.4e5},
    {64000, 2.1e6},
    {128000, 7.8e6},
    {256000, 3.6e7},
    {512000, 6.4e7},
    {1000000, 5.1e8},
}};

void add_infimum(Derivation& d, const Row& row) {
    const BaseBound bound =
        bound_base({.pairs = pairs, .context = row.length, .island_work = 0, .threads = 1});
    const double infimum = d.number(bound.infimum->base);
    d.number(bound.infimum->position.value());
    d.conclude(bound.proved && infimum < row.base);
}

template <std::size_t index>
void derive_row(Derivation& d) {
    constexpr Row row = rows[index];
    const auto length = static_cast<double>(row.length), binary = length / 1000 * 1024;
    const BaseScan scan =
        scan_sum(CosineSum(pairs, ln(row.base)), row.length, row.length + row.length / 2);
    const double first = d.number(scan.first_negative.value());
    const double least = d.number(scan.least);
    const double round = d.number(first_of_digits(pairs, row.length, 1, largest_base, 2).value());
    if (first <= length) {
        d.conclude(least < 0 && round != row.base);
        return;
    }
    d.conclude(least >= 0 && round == row.base);
    if (first <= binary) d.conclude(first > length);
    if (row.all_bases) add_infimum(d, row);
}

// Liu et al., Scaling Laws of RoPE-based Extrapolation.

struct Case {
    std::uint32_t dim;
    double base;
    std::uint64_t length;
};

void derive_critical_dimension(Derivation& d) {
    constexpr Case cases[] = {{128, 1e4, 2048},  {128, 1e4, 4096},  {128, 1e4, 8192},
                              {128, 1e4, 16384}, {128, 1e4, 32768}, {128, 5e5, 8192},
                              {128, 1e6, 32768}, {64, 1e4, 2048},   {128, 5e6, 131072}};
    d.number(full_turn_pairs(128, 1e4, 4096));
    bool counted = true;
    for (const Case& one : cases) {
        const auto length = static_cast<double>(one.length);
        const double found = d.number(critical_dimension(one.dim, one.base, one.length));
        counted = counted && found == static_cast<double>(
                                          2 * full_turns(base_rope(one.dim, one.base), length));
    }
    d.conclude(counted);
}

void derive_clamp(Derivation& d) {
    const BigReal formula = d.number(2.0 * whole_above(full_turn_pairs(128, 500, 4096)));
    const double lanes = d.number(2 * full_turns(base_rope(128, 500), 4096));
    d.conclude(formula > real(lanes));
}

void derive_betas(Derivation& d) {
    d.number(real(8192) / exact_pi());
    d.number(real(4096) / exact_pi());
    const BigReal whole = d.number(real(2048) / exact_pi());
    d.number(real(32768) / exact_pi());
    d.number(real(16384) / exact_pi());
    d.number(real(8192) / exact_pi());
    d.conclude(nearest_whole(whole) == real(652));
    const auto exact = [](double multiple) {
        return pow(multiple * real(4096) / exact_pi(), real(128) / 126.0);
    };
    d.number(exact(2));
    d.number(exact(1));
    const BigReal least = d.number(exact(0.5));
    d.conclude(4096.0 * pow(real(652), real(-126) / 128.0) > 2.0 * exact_pi() && least > whole);
}

void derive_critical_base(Derivation& d) {
    const auto critical = [](double longer) {
        return pow(real(1e4), natural_log(longer / (2.0 * exact_pi())) /
                                  natural_log(real(4096) / (2.0 * exact_pi())));
    };
    d.number(critical(8192));
    const BigReal base = d.number(critical(16384));
    d.number(critical(32768));
    const BigReal apart = full_turn_pairs(128, 1e4, 4096) -
                          64.0 * natural_log(real(16384) / (2.0 * exact_pi())) / natural_log(base);
    d.conclude(absolute(apart) < real(1e-10));
}

void derive_extrapolation(Derivation& d) {
    const auto reach = [](double base) {
        return 2.0 * exact_pi() * pow(real(base), real(92) / 128.0);
    };
    const BigReal own = d.number(reach(1e4));
    d.number(reach(4e4));
    d.number(reach(1.6e5));
    const BigReal large = d.number(reach(1e6));
    d.conclude(own > real(4096) && large > own);
}

void derive_dead_pairs(Derivation& d) {
    constexpr double lengths[] = {2048, 4096, 8192, 32768, 131072, 1048576};
    double dead = 0;
    for (const auto& [dim, base] : std::initializer_list<std::pair<std::uint32_t, double>>{
             {128, 1e4}, {128, 5e5}, {128, 1e6}, {64, 1e4}, {64, 5e5}}) {
        const FrequencyPlan plan = base_rope(dim, base);
        for (std::size_t k = 0; k < 6; ++k) {
            const double found = d.number(full_turns(plan, lengths[k]));
            if (base == 5e5 && lengths[k] == 8192) dead = dim / 2.0 - found;
        }
    }
    d.conclude(dead > 0);
}

// Wang et al., When Precision Meets Position: BFloat16 Breaks Down RoPE in Long-Context Training.

const std::vector<std::uint64_t> lengths{64, 256, 1024, 4096, 8192};

struct Spread {
    double mean, deviation;
};
Spread spread_of(const std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double x : values) sum += x;
    for (const double x : values) squares += (x - sum / count) * (x - sum / count);
    return {sum / count, std::sqrt(squares / (count - 1))};
}

// The mean drift of each length, and the standard deviation over keys at the first and the last;
// returns the ratio of the last to length number `to`: its mean over keys, and its deviation.
Spread drift(Derivation& d, Bfloat16Rotation rotation, std::size_t to) {
    const std::vector<std::vector<double>> of_keys = logit_drift(rotation, lengths);
    std::vector<double> ratios;
    std::vector<Spread> of_lengths;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        std::vector<double> values;
        for (const std::vector<double>& key : of_keys) values.push_back(key[i]);
        of_lengths.push_back(spread_of(values));
    }
    for (const std::vector<double>& key : of_keys) ratios.push_back(key.back() / key[to]);
    for (const Spread& one : of_lengths) d.number(one.mean);
    d.number(of_lengths.front().deviation);
    d.number(of_lengths.back().deviation);
    const Spread ratio = spread_of(ratios);
    d.number(ratio.mean);
    d.number(ratio.deviation);
    return ratio;
}

void derive_broken(Derivation& d) {
    const Spread ratio = drift(d, Bfloat16Rotation::rounded_once, 2);
    d.conclude(ratio.mean > 0);
}

void derive_growth(Derivation& d) {
    const Spread ratio = drift(d, Bfloat16Rotation::arithmetic, 2);
    d.conclude(ratio.mean < 1.05 && std::abs(ratio.mean - 1) < ratio.deviation);
}

void derive_positions(Derivation& d) {
    const Spread ratio = drift(d, Bfloat16Rotation::positions, 0);
    d.conclude(ratio.mean - 3 * ratio.deviation > 1);
}

void derive_distinct_positions(Derivation& d) {
    for (const unsigned last : {511U, 2047U, 4095U, 131071U})
        d.number(distinct_positions(Format::bfloat16, last));
    double lost = 0;
    while (round_to(Format::bfloat16, lost) == lost) ++lost;
    const double first = d.number(lost);
    const AngleRounding rounding{Format::float32, Format::bfloat16, Format::float32};
    d.number(worst_angle_error(128, 1e4, rounding, 0, 4096));
    d.conclude(first == 257);
}

constexpr Computation computations[] = {
    {"men-expectation", derive_expectation},
    {"men-decrease", derive_decrease},
    {"men-last-length", derive_first_negative},
    {"men-power-law", derive_power_law},
    {"men-wide-heads", derive_limit},
    {"men-partial-rotary", derive_passing},
    {"men-table-1k", derive_row<0>},
    {"men-table-2k", derive_row<1>},
    {"men-table-4k", derive_row<2>},
    {"men-table-8k", derive_row<3>},
    {"men-table-16k", derive_row<4>},
    {"men-table-32k", derive_row<5>},
    {"men-table-64k", derive_row<6>},
    {"men-table-128k", derive_row<7>},
    {"men-table-256k", derive_row<8>},
    {"men-table-512k", derive_row<9>},
    {"men-table-1m", derive_row<10>},
    {"liu-critical-dimension", derive_critical_dimension},
    {"liu-clamp", derive_clamp},
    {"liu-betas", derive_betas},
    {"liu-critical-base", derive_critical_base},
    {"liu-t-extra", derive_extrapolation},
    {"liu-full-turns", derive_dead_pairs},
    {"bf16-relativity", derive_broken},
    {"bf16-growth", derive_growth},
    {"bf16-position-growth", derive_positions},
    {"bf16-positions", derive_distinct_positions},
};

}  // namespace

std::span<const Computation> papers_on_bases() { return computations; }

}  // namespace rope::ledger
