#include <fmt/format.h>

#include "base/decimal.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

constexpr int holds_tint = 2;

struct Range {
    double first, last;
};

// 1, 2 and 5 times powers of ten; only the powers for a wide range.
std::vector<Tick> base_ticks(Range range) {
    const bool many = range.last / range.first > 1e3;
    std::vector<Tick> ticks;
    double power = 1;
    for (int exponent = 0; power <= range.last; ++exponent, power *= 10)
        for (const int mantissa : {1, 2, 5}) {
            const double base = mantissa * power;
            if (base < range.first || base > range.last || (many && mantissa > 1)) continue;
            const std::string times = mantissa > 1 ? fmt::format("{}·", mantissa) : "";
            ticks.push_back({base, times + "10" + superscript(exponent)});
        }
    return ticks;
}

// Evenly spaced bases, and the ringed ones, at which the curve may reach 0 between two others.
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

// Returns x, rounded by `round` to a whole number, as in the text, or to four digits: down for a
// lower bound, up for an upper bound.
std::string rounded(double x, double (*round)(double)) {
    const double digits = std::pow(10.0, std::floor(std::log10(x)) - 3);
    const double unit = x < 1e9 ? std::min(1.0, digits) : digits;
    return x < 1e9 ? fixed(round(x / unit) * unit, std::max(0, static_cast<int>(-std::log10(unit))))
                   : significant(round(x / unit) * unit, 4);
}
std::string below(double x) { return rounded(x, std::floor); }
std::string above(double x) { return rounded(x, std::ceil); }

std::string title(const BaseBound& bound, std::uint64_t context) {
    const std::string least = below(bound.infimum->base);
    const char* found = bound.proved ? "" : "found ";
    if (!bound.ends_well())
        return fmt::format("Up to distance {} no base {}below {} holds", grouped(context), found,
                           least);
    return fmt::format("Up to distance {} every base searched from {} holds, and none {}below {}",
                       grouped(context), above(*bound.largest_failing), found, least);
}

std::vector<Zone> zones(const BaseBound& bound, Range range) {
    std::vector<Zone> zones;
    const double searched = std::min(range.last, std::max(bound.searched_to, bound.infimum->base));
    for (const auto& [from, to] : bound.islands)
        zones.push_back({from.base, to.position ? to.base : searched, "", holds_tint});
    if (!zones.empty()) zones.back().label = "holds";
    if (searched < range.last) zones.push_back({searched, range.last, "not searched", 0});
    return zones;
}

// The least B, and the first s with B(s) < 0, for every base.
std::pair<Series, Series> curves(const BaseQuestion& question, Range range,
                                 std::vector<double> ringed) {
    // about 10¹⁰ cosines take a second
    const std::uint64_t work = question.pairs.rotating * (question.context + 1);
    const std::size_t count = std::clamp<std::uint64_t>(10'000'000'000 / work, 300, 1500);
    Series least{"least B(s)", Mark::path, 0}, first{"first s with B(s) < 0", Mark::path, 1};
    least.x = first.x = bases(range, count, std::move(ringed));
    const auto cells = map_tasks(first.x.size(), threads_of(question), [&](std::size_t k) {
        const BaseScan scan = scan_sum(CosineSum(question.pairs, first.x[k]), question.context,
                                       drawn_contexts * question.context);
        const auto s = scan.first_negative;
        return to_bytes(std::array{
            scan.least, s ? static_cast<double>(*s) : std::numeric_limits<double>::infinity()});
    });
    for (const Bytes& cell : cells) {
        const auto [score, s] = value_of<std::array<double, 2>>(cell);
        least.y.push_back(score);
        first.y.push_back(s);
    }
    return {std::move(least), std::move(first)};
}

Axis least_axis(const Series& least) {
    const auto [low, high] = std::ranges::minmax(least.y);
    const double margin = 0.06 * (high - low);
    return {"least B(s)", Scale::linear, low - margin, high + 2 * margin,
            decimal_ticks(low - margin, high + 2 * margin, 8)};
}

std::string verdict(const AskedBase& asked) {
    return fmt::format("base {} {}", significant(asked.base, 10),
                       asked.scan.holds() ? "holds" : "fails");
}

void draw_least(Panel& panel, const BaseBound& bound, const std::optional<AskedBase>& asked,
                Series least) {
    panel.title = "The least score within the context: min B(s), s = 0…N";
    panel.levels = {{0, ""}};
    const auto ring = [&](double base, std::string tag) {
        const auto at = std::ranges::find(least.x, base) - least.x.begin();
        panel.markers.push_back({base, least.y[static_cast<std::size_t>(at)], std::move(tag)});
    };
    ring(bound.infimum->base, bound.proved ? "smallest base" : "first base that holds");
    if (bound.ends_well()) ring(*bound.largest_failing, "largest that fails");
    if (asked) {
        ring(asked->base, "");
        panel.rules = {
            {asked->base, verdict(*asked) + ": least " + significant(asked->scan.least, 3)}};
    }
    panel.series = {std::move(least)};
    panel.y = least_axis(panel.series[0]);
}

void draw_first(Panel& panel, std::uint64_t context, const std::optional<AskedBase>& asked,
                Series first) {
    panel.title = "The first distance at which B(s) < 0";
    panel.levels = {{static_cast<double>(context), "N = " + grouped(context)}};
    panel.series = {std::move(first)};
    if (asked) panel.rules = {{asked->base, verdict(*asked)}};
    if (asked && asked->scan.first_negative) {
        const std::uint64_t s = *asked->scan.first_negative;
        panel.markers = {{asked->base, static_cast<double>(s), ""}};
        panel.rules[0].label += ": first B(s) < 0 at s = " + grouped(s);
    }
    panel.y = log_axis("distance s", extent_of(panel), 0.12, 0.12);
    panel.y.above = "none up to " + grouped(drawn_contexts * context);
}

}  // namespace

Figure base_bound_figure(const BaseQuestion& question, const std::optional<AskedBase>& asked) {
    const BaseBound bound = bound_base(question);
    if (!bound.infimum)
        throw InputError("no base up to 1e30 keeps B(s) ≥ 0 to this context: nothing to draw");
    if (!bound.infimum->position || !bound.largest_failing)
        throw InputError("every base keeps B(s) ≥ 0 to this context: nothing to draw");
    Range range{std::max(1.0, bound.infimum->base / 3),
                question.search_to ? std::max(bound.searched_to, 1.1 * bound.infimum->base)
                                   : std::min(2 * *bound.largest_failing, bound.searched_to)};
    std::vector<double> ringed{bound.infimum->base};
    if (bound.ends_well()) ringed.push_back(*bound.largest_failing);
    if (asked) {
        range = {std::max(1.0, std::min(range.first, asked->base / 1.1)),
                 std::max(range.last, asked->base * 1.1)};
        ringed.push_back(asked->base);
    }
    auto [least, first] = curves(question, range, std::move(ringed));
    const PairCounts pairs = question.pairs;

    Figure figure;
    figure.title = title(bound, question.context);
    if (asked) figure.title += "; " + verdict(*asked);
    const std::size_t count = bound.islands.size();
    const std::string found = fmt::format("{} interval{} of bases that hold · searched to {}",
                                          count, count == 1 ? "" : "s", below(bound.searched_to));
    figure.subtitle = fmt::format("head_dim {} · rotary_dim {} · {}",
                                  2 * (pairs.rotating + pairs.passing), 2 * pairs.rotating, found);
    figure.description =
        "Two panels over the base on a logarithmic axis. The least score of two equal tokens "
        "within the context, and the first distance at which it is negative. The bases that hold "
        "are tinted.";
    figure.notes = {
        fmt::format("B(s) = Σᵢ cos(s·b^(−2i/d)){}; a base holds if B(s) ≥ 0, s = 0…N.",
                    pairs.passing == 0 ? "" : ", +1 for each pair that passes through"),
        fmt::format("Tinted: bases that hold, paler where only some do, searched in steps of {} %. "
                    "That none below the first holds is {}.",
                    significant(100 * (bound.ratio - 1), 2),
                    bound.proved ? "proved" : "not proved")};
    figure.parameters = {{"found", found}};
    figure.panels.resize(2);
    draw_least(figure.panels[0], bound, asked, std::move(least));
    draw_first(figure.panels[1], question.context, asked, std::move(first));
    for (Panel& panel : figure.panels) {
        panel.x = {"base b", Scale::log2, range.first, range.last, base_ticks(range)};
        panel.zones = zones(bound, range);
    }
    return figure;
}

}  // namespace rope::plots
