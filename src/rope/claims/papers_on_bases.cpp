// Papers on the base and on precision: Men et al. (arXiv 2405.14591) and Wang et al.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>
#include <vector>

#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::ledger {
namespace {

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

// Men et al., Table 2: the least base with B(s) = Σcos sθ_i ≥ 0 for each context length. Assumes d
// = 128, bases of two digits, and 1k = 1000 or 1024 (binary).

constexpr PairCounts pairs{64, 0};

struct Row {
    std::string_view id;
    std::uint64_t length;
    double published, right;

    std::uint64_t binary() const { return length == 1000000 ? 1 << 20 : length / 1000 * 1024; }
};
constexpr Row rows[] = {
    {"men-table-1k", 1000, 4.3e3, 4.3e3},     {"men-table-2k", 2000, 1.6e4, 1.6e4},
    {"men-table-4k", 4000, 2.7e4, 2.7e4},     {"men-table-8k", 8000, 8.4e4, 8.4e4},
    {"men-table-16k", 16000, 3.1e5, 3.2e5},   {"men-table-32k", 32000, 6.4e5, 6.3e5},
    {"men-table-64k", 64000, 2.1e6, 2.1e6},   {"men-table-128k", 128000, 7.8e6, 7.8e6},
    {"men-table-256k", 256000, 3.6e7, 3.3e7}, {"men-table-512k", 512000, 6.4e7, 6.5e7},
    {"men-table-1m", 1000000, 5.1e8, 3.5e8},
};

double least_base(std::uint64_t length) {
    return first_of_digits(pairs, length, 1, largest_base, 2).value();
}

void derive_row(Derivation& d) {
    const Row& row = *std::ranges::find(rows, d.entry().id, &Row::id);
    const auto length = static_cast<double>(row.length), binary = static_cast<double>(row.binary());
    const BaseScan scan =
        scan_sum(CosineSum(pairs, row.published), row.length, row.length + row.length / 2);
    const auto [first, least, round] =
        d.number(scan.first_negative.value(), scan.least, least_base(row.length));
    if (first <= length) {
        d.conclude(least < 0 && round == row.right && round != row.published);
        return;
    }
    d.conclude(least >= 0 && round == row.right && round == row.published);
    const double last_digit = std::pow(10, std::floor(std::log10(row.published)) - 1);
    const CosineSum next(pairs, row.published + last_digit);
    const bool has_bound = row.length <= 8000;
    const bool next_fails = has_bound && d.number(scan_sum(next, row.length, row.length).least) < 0;
    if (first <= binary)
        d.conclude(first > length && d.number(least_base(row.binary())) > row.published);
    if (!has_bound) return;
    const BaseBound bound =
        bound_base({.pairs = pairs, .context = row.length, .island_work = 0, .threads = 1});
    d.number(bound.infimum->base, bound.infimum->position.value());
    const double below = row.published - bound.infimum->base;
    d.conclude(bound.proved && next_fails && below > 0 &&
               (below < last_digit) == (row.length != 2000));
}

// Wang et al., When Precision Meets Position: BFloat16 Breaks Down RoPE in Long-Context Training.

// Change of a score when query and key move together, in bfloat16.
//
// Uses 100 keys of a first token and 64 queries that repeat along a sequence, so that all lengths
// have the same ones. Entries are uniform in (−1, 1), rounded to bfloat16 (SplitMix64, seed 1 for
// queries and 2 for keys; d = 128, pairs (i, i + d/2), base 10000). Products are summed in double
// and not divided by √d.

enum class Bfloat16Rotation {
    rounded_once,  // rotated exactly, cast to bfloat16
    arithmetic,    // bfloat16 cos, sin, products and sums
    positions,     // the same, with positions in bfloat16 too
};

// Returns, for each T (ascending) and each key, the mean of |score at shift 0 − score at shift 16|
// over the positions 0 … T − 1.
std::vector<std::vector<double>> logit_drift(Bfloat16Rotation rotation,
                                             const std::vector<std::uint64_t>& lengths) {
    constexpr std::size_t half = 64, draws = 100;
    constexpr std::uint64_t shift = 16;
    using Head = std::array<double, 2 * half>;
    const auto to_bfloat16 = [](double x) { return round_to(Format::bfloat16, x); };
    const auto drawn = [&](Random& random) {
        Head x;
        for (double& entry : x)
            entry = to_bfloat16(static_cast<double>(random.bits() >> 11) * 0x1p-53 * 2 - 1);
        return x;
    };
    const auto dot = [](const Head& x, const Head& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    const TruthRows truth(base_rope(), 0, half);
    const bool exact = rotation == Bfloat16Rotation::rounded_once;
    const auto combined = [&](double a, double b) {
        return to_bfloat16(exact ? a + b : to_bfloat16(a) + to_bfloat16(b));
    };
    const auto rotate = [&](const Head& x, std::uint64_t m) {
        std::array<double, half> c, s;
        if (rotation == Bfloat16Rotation::positions)
            m = static_cast<std::uint64_t>(to_bfloat16(static_cast<double>(m)));
        if (exact)
            truth.exact().fill_row(m, c.data(), s.data());
        else
            truth.fill_rounded({&m, 1}, Format::bfloat16, c.data(), s.data());
        Head y;
        for (std::size_t i = 0; i < half; ++i) {
            y[i] = combined(x[i] * c[i], -x[i + half] * s[i]);
            y[i + half] = combined(x[i + half] * c[i], x[i] * s[i]);
        }
        return y;
    };
    Random queries(1), keys(2);
    std::vector<Head> here, there, queried;
    for (std::size_t n = 0; n < 64; ++n) queried.push_back(drawn(queries));
    for (std::size_t n = 0; n < draws; ++n) {
        const Head key = drawn(keys);
        here.push_back(rotate(key, 0));
        there.push_back(rotate(key, shift));
    }
    std::vector<std::vector<double>> means;
    std::vector<double> sums(draws);
    std::uint64_t m = 0;
    for (const std::uint64_t length : lengths) {
        for (; m < length; ++m) {
            const Head& query = queried[m % queried.size()];
            const Head near = rotate(query, m), far = rotate(query, m + shift);
            for (std::size_t n = 0; n < draws; ++n)
                sums[n] += std::abs(dot(near, here[n]) - dot(far, there[n]));
        }
        means.push_back(sums);
        for (double& mean : means.back()) mean /= static_cast<double>(length);
    }
    return means;
}

const std::vector<std::uint64_t> lengths{64, 256, 1024, 4096, 8192};

struct Spread {
    double mean, deviation;
};

Spread spread_of(const std::vector<double>& x) {
    const auto count = static_cast<double>(x.size());
    const double mean = std::reduce(x.begin(), x.end()) / count;
    double squares = 0;
    for (const double each : x) squares += (each - mean) * (each - mean);
    return {mean, std::sqrt(squares / (count - 1))};
}

// Adds the mean drift for each length, and the standard deviation over keys for the first and last
// length. Returns the ratio of the last length to length number `to`: mean over keys and deviation.
Spread drift(Derivation& d, Bfloat16Rotation rotation, std::size_t to) {
    const std::vector<std::vector<double>> of_lengths = logit_drift(rotation, lengths);
    for (const std::vector<double>& of_keys : of_lengths) d.number(spread_of(of_keys).mean);
    std::vector<double> ratios;
    std::ranges::transform(of_lengths.back(), of_lengths[to], std::back_inserter(ratios),
                           std::divides<>{});
    const Spread ratio = spread_of(ratios);
    d.number(spread_of(of_lengths.front()).deviation, spread_of(of_lengths.back()).deviation,
             ratio.mean, ratio.deviation);
    return ratio;
}

}  // namespace

void papers_on_bases(Computations& compute) {
    static const FrequencyPlan& base = base_rope();
    compute["men-expectation"] = [](Derivation& d) {
        const auto [trace, sum] =
            d.number(2.0 * cosine_sum(base, real(1000)), 128.0 * mean_score(base, 1000));
        d.conclude(same(trace, sum));
    };
    compute["men-decrease"] = [](Derivation& d) {
        const auto [first, before, after] = d.number(
            first_rise(base, 64).value(), 64.0 * mean_score(base, 11), 64.0 * mean_score(base, 12));
        d.conclude(after > before && first == 12);
    };
    compute["men-last-length"] = [](Derivation& d) {
        const auto last = [](double b, std::uint64_t farthest) {
            return *scan_sum(CosineSum(pairs, b), farthest, farthest).first_negative - 1;
        };
        const auto [small, large] = d.number(last(1e4, 4096), last(5e5, 32768));
        d.conclude(large > small);
    };
    compute["men-power-law"] = [](Derivation& d) {
        // p and a of b = a·L^p, least squares of the logarithms
        const auto fit = [&](bool binary, const auto& base_of) {
            BigReal x = real(0), y = real(0), xx = real(0), xy = real(0);
            for (const Row& row : rows) {
                const auto length = static_cast<double>(binary ? row.binary() : row.length);
                const BigReal u = natural_log(real(length)), v = natural_log(real(base_of(row)));
                x = x + u, y = y + v, xx = xx + u * u, xy = xy + u * v;
            }
            BigReal power = (11.0 * xy - x * y) / (11.0 * xx - x * x);
            d.number(power, exponential((y - power * x) / 11.0));
            return power;
        };
        const auto published = [](const Row& row) { return row.published; };
        const BigReal decimal = fit(false, published), binary = fit(true, published);
        d.conclude(absolute(binary - real(1.628)) < real(0.0005) && decimal > real(1.63));
        const BigReal right = fit(false, [](const Row& row) { return row.right; });
        const BigReal least = fit(true, [](const Row& row) { return least_base(row.binary()); });
        d.conclude(right < real(1.605) && least < right);
    };
    compute["men-wide-heads"] = [](Derivation& d) {
        BigReal low = real(0.5), high = real(0.75);
        for (int k = 0; k < 200; ++k) {
            const BigReal middle = (low + high) / 2.0;
            (cosine_integral(middle) < real(0) ? low : high) = middle;
        }
        const auto [zero, slope] = d.number(low, 1.0 / low);
        d.conclude(slope > real(1.6) && slope < real(1.65));
    };
    compute["men-partial-rotary"] = [](Derivation& d) {
        const auto [least, turning] =
            d.number(scan_sum(CosineSum(base_rope(64), 32), 1 << 20, 1 << 20).least,
                     *scan_sum(CosineSum(base_rope(64), 0), 8192, 8192).first_negative);
        d.conclude(least >= 0 && turning > 0);
    };
    compute["liu-critical-dimension"] = [](Derivation& d) {
        constexpr std::tuple<std::uint32_t, double, std::uint32_t> cases[] = {
            {128, 1e4, 2048},  {128, 1e4, 4096},  {128, 1e4, 8192},
            {128, 1e4, 16384}, {128, 1e4, 32768}, {128, 5e5, 8192},
            {128, 1e6, 32768}, {64, 1e4, 2048},   {128, 5e6, 131072}};
        d.number(full_turn_pairs(128, 1e4, 4096));
        bool counted = true;
        for (const auto& [dim, b, length] : cases) {
            const std::uint64_t found = critical_dimension(dim, b, length);
            d.number(found);
            counted = counted && found == 2 * full_turns(base_rope(dim, b), length);
        }
        d.conclude(counted);
    };
    compute["liu-clamp"] = [](Derivation& d) {
        const auto formula = [](double length) {
            return 2.0 * whole_above(full_turn_pairs(128, 1e4, length));
        };
        const auto [right, turning] = d.number(formula(32768), 2 * full_turns(base, 32768));
        d.conclude(right == real(turning));
        const auto [negative, none, wrong, all] = d.number(
            formula(5), 2 * full_turns(base, 5), formula(65536), 2 * full_turns(base, 65536));
        d.conclude(negative < real(none) && wrong > real(all));
    };
    compute["liu-betas"] = [](Derivation& d) {
        const BigReal whole = 2048.0 / exact_pi();
        d.number(4.0 * whole, 2.0 * whole, whole, 16.0 * whole, 8.0 * whole, 4.0 * whole);
        d.conclude(nearest_whole(whole) == real(652));
        const auto exact = [](double multiple) {
            return pow(multiple * real(4096) / exact_pi(), real(128) / 126.0);
        };
        d.number(exact(2), exact(1));
        const auto [least, turns] =
            d.number(exact(0.5), 4096.0 / wavelength(base_rope(128, 652).pairs.back()));
        d.conclude(turns > real(1) && least > whole);
    };
    compute["liu-critical-base"] = [](Derivation& d) {
        const auto critical = [](double longer) {
            return pow(real(1e4), natural_log(longer / (2.0 * exact_pi())) /
                                      natural_log(real(4096) / (2.0 * exact_pi())));
        };
        d.number(critical(8192), critical(16384), critical(32768));
        d.conclude(
            same(full_turn_pairs(128, 1e4, 4096),
                 64.0 * natural_log(16384.0 / (2.0 * exact_pi())) / natural_log(critical(16384))));
    };
    compute["liu-t-extra"] = [](Derivation& d) {
        const auto reach = [](double b) {
            return 2.0 * exact_pi() * pow(real(b), real(92) / 128.0);
        };
        const auto [own, b_4, b_16, large] =
            d.number(reach(1e4), reach(4e4), reach(1.6e5), reach(1e6));
        d.conclude(own > real(4096) && large > own);
    };
    compute["liu-full-turns"] = [](Derivation& d) {
        bool as_stated = true;
        for (const auto& [dim, b] : std::initializer_list<std::pair<std::uint32_t, double>>{
                 {128, 1e4}, {128, 5e5}, {128, 1e6}, {64, 1e4}, {64, 5e5}}) {
            const FrequencyPlan plan = base_rope(dim, b);
            const BigReal longest = d.number(wavelength(plan.pairs.back()));
            for (const double length : {2048, 8192, 131072, 1048576}) {
                const bool is_whole = d.number(full_turns(plan, length)) == dim / 2;
                as_stated = as_stated && is_whole == !(real(length) < longest);
            }
        }
        d.conclude(as_stated);
    };
    compute["bf16-relativity"] = [](Derivation& d) {
        const Spread ratio = drift(d, Bfloat16Rotation::rounded_once, 2);
        d.conclude(ratio.mean > 0);
    };
    compute["bf16-growth"] = [](Derivation& d) {
        const Spread ratio = drift(d, Bfloat16Rotation::arithmetic, 0);
        d.conclude(ratio.mean > 1 && ratio.mean < 1.2);
    };
    compute["bf16-position-growth"] = [](Derivation& d) {
        const Spread ratio = drift(d, Bfloat16Rotation::positions, 0);
        d.conclude(ratio.mean - 3 * ratio.deviation > 1);
    };
    compute["bf16-positions"] = [](Derivation& d) {
        for (const unsigned last : {511U, 2047U, 4095U, 131071U})
            d.number(distinct_positions(Format::bfloat16, last));
        double lost = 0;
        while (round_to(Format::bfloat16, lost) == lost) ++lost;
        d.number(lost, worst_angle_error(128, {.position = Format::bfloat16}, 4096));
        d.conclude(lost == 257);
    };
    for (const Row& row : rows) compute[row.id] = derive_row;
}

}  // namespace rope::ledger
