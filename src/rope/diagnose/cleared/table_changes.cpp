#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/fit_to_one.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

struct Entry {
    double cos, sin;
};

// Of rows evenly over the table, those that are finite.
std::vector<Entry> sampled_entries(const TableDump& table) {
    const std::size_t rows = table.positions.size();
    const std::size_t step = std::max<std::size_t>(1, rows / most_samples);
    std::vector<Entry> all;
    for (std::size_t row = 0; row < rows; row += step)
        for (std::uint32_t pair = 0; pair < table.pairs; ++pair) {
            const Entry one{table.cos.at(row, pair), table.sin.at(row, pair)};
            if (std::isfinite(one.cos) && std::isfinite(one.sin)) all.push_back(one);
        }
    return all;
}

struct Factors {
    double cos, sin;
};

std::optional<Factors> factors_of(const std::vector<Entry>& entries, double tolerance) {
    std::vector<TwoTerms> squares;
    for (const Entry& one : entries) squares.push_back({one.cos * one.cos, one.sin * one.sin});
    const auto inverse = fit_to_one(squares, tolerance);
    if (!inverse) return std::nullopt;
    return Factors{1 / std::sqrt(inverse->first), 1 / std::sqrt(inverse->second)};
}

bool is_multiple(double x, double n, Format format) {
    return std::abs(x * n - std::nearbyint(x * n)) <= 4 * half_spacing(format, std::abs(x)) * n;
}

}  // namespace

std::optional<Cleared> cleared_of_unequal_scale(const Spec& asked, const TableDump& table) {
    constexpr std::size_t least = 64;
    const double tolerance = 8 * half_spacing(table.format, 1);
    const std::vector<Entry> entries = sampled_entries(table);
    if (entries.size() < least) return std::nullopt;
    const auto factors = factors_of(entries, tolerance);
    if (!factors || std::abs(factors->cos / factors->sin - 1) <= 8 * tolerance) return std::nullopt;
    const double right = plan_frequencies(asked, exact_precision).attention_factor;
    const auto by = [&](double factor) {
        return std::make_shared<const std::vector<double>>(table.positions.size(), factor / right);
    };
    TableDump equal = table;
    equal.cos = equal.cos.divided_by(by(factors->cos));
    equal.sin = equal.sin.divided_by(by(factors->sin));
    const double cos = few_digits(factors->cos, tolerance),
                 sin = few_digits(factors->sin, tolerance);
    return Cleared{{"attention-factor",
                    {{"cos", cos}, {"sin", sin}},
                    "cos is scaled by " + decimal(cos) + " and sin by " + decimal(sin) +
                        ", not both by " + decimal(few_digits(right, 1e-9))},
                   std::move(equal),
                   4};
}

std::optional<Cleared> cleared_of_fixed_point(const TableDump& table) {
    constexpr std::size_t least = 64;
    constexpr std::array steps{127.0, 16384.0, 32767.0, 32768.0};
    const std::vector<Entry> entries = sampled_entries(table);
    // a format whose own numbers are no finer shows nothing
    if (entries.size() < least || half_spacing(table.format, 1) > 0x1p-20) return std::nullopt;
    const auto all_are = [&](const auto& is_so) {
        return std::ranges::all_of(
            entries, [&](const Entry& one) { return is_so(one.cos) && is_so(one.sin); });
    };
    const bool is_narrow = std::ranges::any_of(
        std::array{Format::bfloat16, Format::float16},
        [&](Format narrow) { return all_are([&](double x) { return round_to(narrow, x) == x; }); });
    for (const double n : steps) {
        if (is_narrow && n > 127) break;  // a table of 16 bits may hold nothing finer than 2^-14
        if (all_are([&](double x) { return is_multiple(x, n, table.format); })) {
            const std::string multiples = "whole multiples of 1/" + decimal(n);
            return Cleared{{"table-precision",
                            {{"format", multiples}},
                            "cos and sin were rounded to " + multiples},
                           table,
                           1,
                           1 / n};  // 1 is cut off to 32767/32768
        }
    }
    return std::nullopt;
}

}  // namespace rope
