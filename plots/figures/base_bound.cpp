#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/task_source.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"
#include "rope/base_bound/exclusion.hpp"

namespace rope::plots {
namespace {

constexpr int holds_tint = 2;
constexpr std::uint64_t beyond = 8;  // how many contexts the first negative is looked for

struct Range {
    double first, last;
};

// 1, 2 and 5 times the powers of ten; the powers alone where there are many
std::vector<Tick> base_ticks(Range range) {
    const bool many = range.last / range.first > 1e3;
    std::vector<Tick> ticks;
    double power = 1;
    while (power * 10 <= range.first) power *= 10;
    while (power <= range.last) {
        for (const double mantissa : {1., 2., 5.}) {
            const double base = mantissa * power;
            if (base < range.first || base > range.last || (many && mantissa > 1)) continue;
            const long exponent = std::lround(std::log10(power));
            const std::string times = mantissa > 1 ? fixed(mantissa, 0) + "·" : "";
            ticks.push_back({base, times + "10" + superscript(exponent)});
        }
        power *= 10;
    }
    return ticks;
}

// Evenly apart, and those that are ringed, where the curve may reach 0 between its neighbours.
std::vector<double> bases(Range range, std::size_t count, std::vector<double> ringed) {
    std::vector<double> bases = std::move(ringed);
    const double octaves = std::log2(range.last / range.first);
    for (std::size_t k = 0; k < count; ++k)
        bases.push_back(
            std::min(range.last, range.first * std::exp2(octaves * static_cast<double>(k) /
                                                         static_cast<double>(count - 1))));
    std::ranges::sort(bases);
    return bases;
}

std::vector<Zone> zones(const BaseBound& bound, Range range) {
    std::vector<Zone> zones;
    for (const auto& [from, to] : bound.islands)
        zones.push_back({from.base, to.position ? to.base : range.last, "", holds_tint});
    if (!zones.empty()) zones.back().label = "holds";
    return zones;
}

// B at its least, and where it first turns negative, for every base.
struct FoundCurves {
    Series least{"least B(s)", Mark::path, 0};
    Series first{"first s with B(s) < 0", Mark::path, 1};
};

FoundCurves curves(const BaseQuestion& question, Range range, std::vector<double> ringed) {
    // about 10¹⁰ cosines: a second
    const std::uint64_t work = question.pairs.rotating * (question.context + 1);
    const std::size_t count = std::clamp<std::uint64_t>(10'000'000'000 / work, 300, 1500);
    FoundCurves curves;
    curves.least.x = curves.first.x = bases(range, count, std::move(ringed));
    const auto cells = map_tasks(curves.first.x.size(), threads_of(question), [&](std::size_t k) {
        const BaseScan scan = scan_sum(CosineSum(question.pairs, ln(curves.first.x[k])),
                                       question.context, beyond * question.context);
        const auto first = scan.first_negative;
        return to_bytes(std::array{scan.least, first ? static_cast<double>(*first) : std::nan("")});
    });
    for (const Bytes& cell : cells) {
        const auto [least, first] = value_of<std::array<double, 2>>(cell);
        curves.least.y.push_back(least);
        curves.first.y.push_back(first);
    }
    return curves;
}

Axis least_axis(const Series& least) {
    const auto [low, high] = std::ranges::minmax(least.y);
    const double margin = 0.06 * (high - low);
    return {"least B(s)", Scale::linear, low - margin, high + 2 * margin,
            decimal_ticks(low - margin, high + 2 * margin, 8)};
}

Axis first_axis(const Series& first, std::uint64_t context) {
    double low = static_cast<double>(context), high = low;
    for (const double s : first.y) {
        if (!std::isfinite(s)) continue;
        low = std::min(low, s);
        high = std::max(high, s);
    }
    low /= 1.5;
    high *= 1.5;
    return {"distance s", Scale::log2, low, high, power_of_two_ticks(low, high, 8)};
}

// To seven digits: what is below it is below x.
std::string rounded_down(double x) {
    const double unit = std::pow(10.0, std::floor(std::log10(x)) - 6);
    return significant(std::floor(x / unit) * unit, 7);
}

std::string found(const BaseBound& bound) {
    const std::size_t count = bound.islands.size();
    return fmt::format("infimum {} · {} {} · largest failing {}", rounded_down(bound.infimum->base),
                       count, count == 1 ? "island" : "islands",
                       significant(*bound.largest_failing, 7));
}

void draw_least(Panel& panel, const BaseBound& bound, Series least) {
    panel.title = "The least score within the context: min B(s), s = 0…N";
    panel.y = least_axis(least);
    panel.levels = {{0, ""}};
    const auto ring = [&](double base, const char* tag) {
        const auto at = std::ranges::find(least.x, base) - least.x.begin();
        panel.markers.push_back({base, least.y[static_cast<std::size_t>(at)], tag});
    };
    ring(bound.infimum->base, "infimum");
    ring(*bound.largest_failing, "largest failing");
    panel.series = {std::move(least)};
}

void draw_first(Panel& panel, std::uint64_t context, Series first) {
    panel.title = "The first distance at which B(s) < 0";
    panel.y = first_axis(first, context);
    panel.levels = {{static_cast<double>(context), "N = " + grouped(context)}};
    panel.series = {std::move(first)};
}

}  // namespace

Figure base_bound_figure(const BaseQuestion& question) {
    const BaseBound bound = bound_base(question);
    if (!bound.infimum)
        throw InputError("no base up to 1e30 keeps B(s) ≥ 0 to this context: nothing to draw");
    if (!bound.infimum->position || !bound.largest_failing)
        throw InputError("every base keeps B(s) ≥ 0 to this context: nothing to draw");
    const Range range{std::max(1.0, bound.infimum->base / 3),
                      std::min(2 * *bound.largest_failing, bound.searched_to)};
    auto [least, first] = curves(question, range, {bound.infimum->base, *bound.largest_failing});
    const PairCounts pairs = question.pairs;

    Figure figure;
    figure.title =
        fmt::format("Bases that hold to {} positions: none {}below {}", grouped(question.context),
                    bound.proved ? "" : "found ", rounded_down(bound.infimum->base));
    figure.subtitle =
        fmt::format("head_dim {} · rotary_dim {} · {}", 2 * (pairs.rotating + pairs.passing),
                    2 * pairs.rotating, found(bound));
    figure.description =
        "Two panels over the base on a logarithmic axis. The least score of two equal tokens "
        "within the context, and the first distance at which it is negative. The bases that hold "
        "are "
        "islands, which are tinted.";
    figure.notes = {
        "B(s) = Σᵢ cos(s·b^(−2i/d)), +1 for each pair that passes through; a base holds where "
        "B(s) ≥ 0, s = 0…N.",
        fmt::format("Tinted: bases that hold, searched in steps of {}. No base below the infimum "
                    "holds: {}.",
                    significant(bound.ratio, 6), bound.proved ? "proved" : "not proved")};
    figure.parameters = {{"found", found(bound)}};
    figure.panels.resize(2);
    draw_least(figure.panels[0], bound, std::move(least));
    draw_first(figure.panels[1], question.context, std::move(first));
    for (Panel& panel : figure.panels) {
        panel.x = {"base b", Scale::log2, range.first, range.last, base_ticks(range)};
        panel.zones = zones(bound, range);
    }
    return figure;
}

}  // namespace rope::plots
