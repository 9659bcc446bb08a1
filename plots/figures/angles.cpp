#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

#include "base/decimal.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"
#include "rope/checks/decay.hpp"

namespace rope::plots {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

double angle_at(const TurnRate& rate, std::uint64_t s) { return radians(phase_at(rate, s)); }

PlannedFrequency frequency_of(const NamedSpec& named, std::uint32_t pair) {
    return plan_frequencies(named.spec, exact_precision).pairs[pair];
}

// The part of a turn per position; of a slow pair more exactly than phases are.
double turns_per_position_of(const PlannedFrequency& frequency) {
    const double slow = frequency.inv_freq.to_double() / full_turn;
    return slow > 0 && slow < 0x1p-30 ? slow : turns(phase_at(turn_rate(frequency), 1));
}

// The first s at which the pair violates this reading of (c3).
std::optional<std::uint64_t> violation(const PlannedFrequency& pair, PairQuantity quantity,
                                       std::uint64_t searched_to) {
    const auto found = first_violation({.pairs = {pair}}, quantity, searched_to);
    return found ? std::optional(found->distance) : std::nullopt;
}

// A dot per s, or their band if dots would fill the panel.
Series angles(std::string label, const TurnRate& rate, std::uint64_t last, int color) {
    const double all_turns = turns(phase_at(rate, 1)) * static_cast<double>(last);
    const bool drawable = last <= 4096 || all_turns <= 16;
    Series series{std::move(label), drawable ? Mark::dots : Mark::band, color};
    const auto fill = [rate](std::uint64_t first, std::span<double> y) {
        for (double& angle : y) angle = angle_at(rate, first++);
    };
    series.curve = {last, fill};
    return series;
}

// sθ mod 2π for real s in [0, last], a rising piece per turn; if folded, the angle between the two
// directions, min(φ, 2π − φ).
Series guide(double turns_per_position, std::uint64_t last, bool is_folded, int color) {
    constexpr double most = 128;  // more turns would be a grey area
    Series series{"", Mark::guide, color};
    const double all = turns_per_position * static_cast<double>(last);
    const auto add = [&](double turns, double angle) {
        series.x.push_back(turns / turns_per_position);
        series.y.push_back(angle);
    };
    for (double turn = 0; turn < all && all <= most; ++turn) {
        const double end = std::min(turn + 1, all);
        add(turn, 0);
        if (is_folded && end > turn + 0.5) add(turn + 0.5, full_turn / 2);
        add(end, full_turn * (is_folded ? std::min(end - turn, turn + 1 - end) : end - turn));
        if (!is_folded) add(end, std::numeric_limits<double>::quiet_NaN());
    }
    return series;
}

// The axis to 2π; for angles near 0, to the first π/2^k above the largest.
Axis angle_axis(std::string label, double greatest) {
    constexpr double visible = full_turn / 32;
    long parts = 2;  // parts of π
    if (greatest < visible && greatest > 0)
        while (parts < 1L << 60 && greatest * static_cast<double>(parts) <= full_turn) parts *= 2;
    const double last = 4 * std::numbers::pi / static_cast<double>(parts);
    return {std::move(label), Scale::linear, 0, last, pi_ticks(0, 4, parts)};
}

// Rings the pair's violations up to the last drawn distance, and lists all of them in the subtitle:
// "R3 fails at s = 3, R2 at 4, R1 at 7", "R3 fails at s = 14, R1 and R2 hold to s = 16".
void mark_violations(Panel& panel, const PlannedFrequency& pair, std::uint64_t searched_to,
                     std::uint64_t last) {
    std::vector<std::string> parts, holding;
    std::uint64_t most = 0;
    for (const auto& [tag, quantity] : std::views::reverse(pair_readings)) {
        const auto s = violation(pair, quantity, searched_to);
        most = std::max(most, s.value_or(searched_to));
        if (!s) {
            holding.emplace(holding.begin(), tag);
            continue;
        }
        parts.push_back(
            fmt::format("{} {} {}", tag, parts.empty() ? "fails at s =" : "at", grouped(*s)));
        if (*s <= last)
            panel.markers.push_back(
                {static_cast<double>(*s), angle_at(turn_rate(pair), *s), std::string(tag)});
    }
    if (!holding.empty()) {
        const char* verb = holding.size() == 1 ? "holds" : "hold";
        parts.push_back(
            fmt::format("{} {} to s = {}", names_of(holding), verb, grouped(searched_to)));
    }
    panel.subtitle += fmt::format(" · {}", fmt::join(parts, ", "));
    if (most > last) panel.subtitle += " · drawn to " + grouped(last);
}

// "π/4096" if θ is a rational part of a turn, else its digits.
std::string frequency_label(const PlannedFrequency& frequency) {
    if (frequency.turn && frequency.turn->denominator < 1'000'000'000) {
        return pi_fraction(2 * static_cast<long>(frequency.turn->numerator),
                           static_cast<long>(frequency.turn->denominator));
    }
    return significant(frequency.inv_freq.to_double(), 5);
}

// Whether the panels of both would be equal, as for pair 0, where θ is 1 for any base.
bool draw_alike(const NamedSpec& a, const NamedSpec& b, std::uint32_t pair) {
    return a.spec.max_position_embeddings == b.spec.max_position_embeddings &&
           frequency_of(a, pair).inv_freq == frequency_of(b, pair).inv_freq;
}

// "Angle of pair 0 first wraps at s = 7 with base θ, at 12 with scaled θ"; for more than two "at s
// = 6 with a and b to 12 with c", then "never up to 16,384 with" the others.
std::string headline(std::span<const NamedSpec> specs, std::uint32_t pair,
                     std::uint64_t searched_to) {
    std::vector<Quantity> wraps;
    std::vector<std::string> never;
    for (const NamedSpec& named : specs)
        if (const auto s = violation(frequency_of(named, pair), PairQuantity::angle, searched_to))
            wraps.push_back({static_cast<double>(*s), grouped(*s), named.label});
        else
            never.push_back(named.label);
    const std::string angle = "Angle of pair " + grouped(pair), to = grouped(searched_to);
    if (wraps.empty()) return fmt::format("{} never wraps up to s = {}", angle, to);
    return fmt::format(
        "{} first wraps at s = {}{}", angle, extremes(std::move(wraps), "with", ", at "),
        never.empty() ? "" : fmt::format(", never up to {} with {}", to, names_of(never)));
}

}  // namespace

std::uint64_t angle_search(std::span<const NamedSpec> specs, std::uint64_t drawn) {
    for (const NamedSpec& named : specs)
        drawn = std::max(drawn, 8 * named.spec.max_position_embeddings);
    return drawn;
}

void note_angles(Figure& figure, std::uint32_t pair) {
    bool has_ring = false, has_fold = false;
    std::map<double, std::string> ends;  // of the y axes
    for (const Panel& panel : figure.panels) {
        if (!panel.y.label.ends_with("mod 2π")) continue;
        has_fold = has_fold || !panel.series[1].x.empty();
        for (const Marker& at : panel.markers)
            has_ring = has_ring || (at.x <= panel.x.last && at.y <= panel.y.last);
        ends[panel.y.last] = panel.y.ticks.back().label;
    }
    std::string marks = has_ring ? "Rings: first failures. " : "";
    if (has_fold)
        marks +=
            "Faint: the angle between the two directions, folded to [0, π]. It first falls where "
            "R2 fails.";
    const std::string claim = fmt::format(
        "(c3), “the further apart, the less alike”, read in pair {}: R1 the angle grows · "
        "R2 cos sθ falls · R3 |cos sθ| falls",
        pair);
    figure.notes.insert(figure.notes.begin(), {claim, marks});
    if (ends.size() > 1)
        figure.notes.insert(figure.notes.begin() + 2,
                            fmt::format("The vertical axes end at {}.",
                                        fmt::join(std::views::values(ends), " and ")));
}

Panel angle_panel(const NamedSpec& named, std::uint32_t pair, std::optional<std::uint64_t> last,
                  std::uint64_t searched_to, int color) {
    const PlannedFrequency frequency = frequency_of(named, pair);
    const TurnRate rate = turn_rate(frequency);
    const double turns_per_position = turns_per_position_of(frequency);
    const std::uint64_t n = named.spec.max_position_embeddings;
    const std::uint64_t to = last ? *last : default_angle_distance(named, pair);
    const double room = 1.02;  // keeps the last dot off the edge
    const std::string theta = (is_he_xu(named.spec) ? "θ̄" : "θ") + subscript(pair);
    const std::string angle = "s" + theta + " mod 2π";
    Panel panel;
    panel.title = named.label;
    panel.subtitle = theta + " = " + frequency_label(frequency);
    panel.x = {"distance s", Scale::linear, 0, room * static_cast<double>(to),
               decimal_ticks(0, static_cast<double>(to), 11, true)};
    panel.y = angle_axis(angle, turns_per_position * static_cast<double>(to) * full_turn);
    panel.series = {guide(turns_per_position, to, false, color),
                    guide(turns_per_position, to, true, color), angles(angle, rate, to, color)};
    if (n <= to) panel.rules = {{static_cast<double>(n), "n = " + grouped(n)}};
    mark_violations(panel, frequency, searched_to, to);
    return panel;
}

std::uint64_t default_angle_distance(const NamedSpec& named, std::uint32_t pair) {
    const double eight_turns =
        std::floor(8 / turns(phase_at(turn_rate(frequency_of(named, pair)), 1)));
    const double most = 0x1p22;  // largest number of points in one drawing
    const double limit =
        std::min(4 * static_cast<double>(named.spec.max_position_embeddings), most);
    return static_cast<std::uint64_t>(std::clamp(eight_turns, 1.0, limit));
}

Figure angles_figure(std::span<const NamedSpec> specs, std::uint32_t pair,
                     std::optional<std::uint64_t> last) {
    Figure figure = figure_of(
        specs,
        fmt::format(
            "For each setting a panel: the angle between two tokens in pair {}, modulo 2π, against "
            "their distance. Rings mark the first distance at which property (c3) fails.",
            pair));
    figure.notes = {fmt::format(
        "Pair {0}’s angle sθ{1} modulo 2π: a dot at each whole distance s, or a band where dots "
        "would fill the panel.",
        pair, subscript(pair))};
    const std::uint64_t searched_to = angle_search(specs, last.value_or(0));
    figure.title = headline(specs, pair, searched_to);
    std::vector<const NamedSpec*> drawn;
    std::vector<std::vector<std::string>> names;  // per drawn panel
    for (const NamedSpec& named : specs) {
        const auto same = std::ranges::find_if(
            drawn, [&](const NamedSpec* earlier) { return draw_alike(*earlier, named, pair); });
        const auto panel = static_cast<std::size_t>(same - drawn.begin());
        if (same == drawn.end()) {
            drawn.push_back(&named);
            names.emplace_back();
            figure.panels.push_back(angle_panel(named, pair, last, searched_to,
                                                static_cast<int>(panel % palette_colors)));
        }
        names[panel].push_back(named.label);
        figure.panels[panel].title = names_of(names[panel]);
    }
    share_y_axes(figure.panels);
    note_angles(figure, pair);
    note_scaled(figure, specs);
    return figure;
}

}  // namespace rope::plots
