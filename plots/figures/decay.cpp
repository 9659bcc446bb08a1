#include "rope/checks/decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.hpp"
#include "plots/figures/figures.hpp"
#include "plots/figures/subject.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::plots {
namespace {

using Block = std::array<double, DecayBlocks::size>;

}  // namespace

// Blocks are kept for one Spec at a time: those of 32768 pairs take 32 MiB.
struct Decays::Tables {
    std::vector<std::vector<TurnRate>> rates;
    DecayBlocks blocks = {};
    std::optional<std::size_t> taken = {};

    DecayBlocks& of(std::size_t i) {
        if (taken != i) blocks.take(rates[i]);
        taken = i;
        return blocks;
    }
};

Decays::Decays(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances)
    : tables_(std::make_shared<Tables>()), last_(last), distances_(distances) {
    if (distances != nullptr) distances->all += specs.size() * last;
    for (const NamedSpec& named : specs) {
        std::vector<TurnRate>& rates = tables_->rates.emplace_back();
        const FrequencyPlan plan = plan_frequencies(named.spec, exact_precision);
        for (const PlannedFrequency& pair : plan.pairs) rates.push_back(turn_rate(pair));
        ends_.push_back(std::min(named.spec.max_position_embeddings, last));
    }
}

MeanCosShape Decays::mean_cos_shape(std::size_t i) const {
    constexpr double step = 0x1p-47;  // twice the curve's error of 2⁻⁴⁸
    Series curve{""};
    curve.curve = mean_cos(i);
    MeanCosShape shape{{}, 1, 0, ends_[i]};
    double before = 1;
    for (PointReader at(curve); !at.ended(); at.advance()) {
        const auto s = static_cast<std::uint64_t>(at.x());
        const double now = at.y();
        if (!shape.first_rise && now - before > step) {
            shape.first_rise = s;
            shape.at_rise = now;
        }
        if (s == shape.end) shape.at_end = now;
        if (now < shape.least) {
            shape.least = now;
            shape.least_at = s;
        }
        before = now;
        if (distances_ != nullptr) ++distances_->ended;
    }
    return shape;
}

Curve Decays::mean_cos(std::size_t i) const {
    return {last_, [tables = tables_, i](std::uint64_t first, std::span<double> y) {
                DecayBlocks& blocks = tables->of(i);
                for (std::size_t k = 0; k < y.size(); k += DecayBlocks::size)
                    blocks.fill_mean_cos(first + k, &y[k]);
            }};
}

Curve Decays::roformer(std::size_t i) const {
    return {last_, [tables = tables_, i](std::uint64_t first, std::span<double> y) {
                DecayBlocks& blocks = tables->of(i);
                Block mean_cos;
                for (std::size_t k = 0; k < y.size(); k += DecayBlocks::size)
                    blocks.fill(first + k, mean_cos.data(), &y[k]);
            }};
}

namespace {

// The axis from 0 to the first tick ≥ `greatest`.
Axis roformer_axis(double greatest) {
    const double step = decimal_ticks(0, greatest, 8)[1].value;
    const double last = step * std::ceil(greatest / step);
    return {"A(s)", Scale::linear, 0, last, decimal_ticks(0, last, 9)};
}

// "Rings: B̂ at n and at its first rise.", for the rings drawn.
std::string ring_note(std::span<const NamedSpec> specs, std::span<const MeanCosShape> shapes) {
    bool is_at_n = false, is_at_rise = false;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        is_at_n = is_at_n || shapes[i].end == specs[i].spec.max_position_embeddings;
        is_at_rise = is_at_rise || shapes[i].first_rise;
    }
    if (!is_at_n && !is_at_rise) return "";
    return fmt::format("Rings: B̂ {}{}{}.", is_at_n ? "at n" : "",
                       is_at_n && is_at_rise ? " and " : "", is_at_rise ? "at its first rise" : "");
}
constexpr const char* ripple_note =
    "Ripples: one for each pair, where the distance passes its wavelength.";

// "88 %"; "0.3 %" below one percent.
std::string fall(const MeanCosShape& shape) {
    const double percent = 100 * (1 - shape.at_end);
    return (percent < 1 ? significant(percent, 1) : fixed(percent, 0)) + " %";
}

// A panel over the distance, with a line at each context in the range.
Panel distance_panel(std::string title, std::span<const NamedSpec> specs, std::uint64_t last) {
    Panel panel;
    panel.title = std::move(title);
    panel.x = distance_axis(last);
    std::set<std::uint64_t> contexts;
    for (const NamedSpec& named : specs) contexts.insert(named.spec.max_position_embeddings);
    for (const std::uint64_t n : contexts)
        if (n <= last) panel.rules.push_back({static_cast<double>(n), "n = " + grouped(n)});
    return panel;
}

// Adds a ring at the end of the context, and one at the first rise.
void mark_shape(Panel& panel, const MeanCosShape& shape, std::uint64_t n) {
    if (shape.end == n)
        panel.markers.push_back({static_cast<double>(n), shape.at_end, fixed(shape.at_end, 3)});
    if (shape.first_rise)
        panel.markers.push_back({static_cast<double>(*shape.first_rise), shape.at_rise,
                                 "s = " + grouped(*shape.first_rise)});
}

std::string words(const MeanCosShape& shape) {
    const std::string lowest =
        fmt::format("least {} at s = {}", fixed(shape.least, 4), grouped(shape.least_at));
    if (!shape.first_rise) return "falls throughout · " + lowest;
    return fmt::format("rises first at s = {} · {}", grouped(*shape.first_rise), lowest);
}

void add(Panel& panel, std::string label, int color, Curve curve) {
    panel.series.push_back({std::move(label), Mark::line, color, {}, {}, std::move(curve)});
}

Panel decay_panel(const NamedSpec& named, const MeanCosShape& shape, Curve curve, int color) {
    Panel panel =
        distance_panel(named.label + " · decay of the mean cosine", {&named, 1}, curve.last);
    panel.subtitle = words(shape);
    panel.y = mean_cos_axis(shape.least);
    add(panel, "B̂(s)", color, std::move(curve));
    mark_shape(panel, shape, named.spec.max_position_embeddings);
    return panel;
}

constexpr double lowest = -16;  // e^-16: 10⁻⁷ of the weight
constexpr int alibi_heads = 8;

// Ends a curve where it leaves the panel.
void cut(std::span<double> y) {
    for (double& each : y)
        if (each < lowest) each = std::numeric_limits<double>::quiet_NaN();
}

Curve logit_of(Curve mean_cos, double at_zero) {
    return {mean_cos.last,
            [fill = std::move(mean_cos.fill), at_zero](std::uint64_t first, std::span<double> y) {
                fill(first, y);
                for (double& each : y) each = at_zero * (each - 1);
                cut(y);
            }};
}

Curve alibi(double slope, std::uint64_t last) {
    return {last, [slope](std::uint64_t first, std::span<double> y) {
                for (std::size_t k = 0; k < y.size(); ++k)
                    y[k] = -slope * static_cast<double>(first + k);
                cut(y);
            }};
}

// A colour per Spec and dashes per encoding, if there are enough colours.
int color_of(std::size_t encoding, std::size_t spec, std::size_t specs) {
    const std::size_t row = std::max<std::size_t>(specs, specs > 1 ? palette_colors : 1);
    return static_cast<int>(encoding * row + spec);
}

void add_alibi(Panel& panel, int color, std::uint64_t last) {
    const std::vector<BigReal> slopes = ledger::alibi_slopes(alibi_heads);
    for (const int head : {1, 4, 8}) {
        const double slope = slopes[static_cast<std::size_t>(head) - 1].to_double();
        add(panel, fmt::format("ALiBi, head {} of {}: m = 1/{}", head, alibi_heads, 1 / slope),
            color++, alibi(slope, last));
    }
}

}  // namespace

std::string decay_headline(std::span<const NamedSpec> specs, std::span<const MeanCosShape> shapes) {
    const bool alike = std::ranges::adjacent_find(shapes, std::not_equal_to<>{},
                                                  &MeanCosShape::end) == shapes.end();
    const std::string start =
        alike ? fmt::format("Over {} positions", grouped(shapes.front().end)) : "Over its context";
    std::vector<Quantity> falls;
    for (std::size_t i = 0; i < specs.size(); ++i)
        falls.push_back({shapes[i].at_end, fall(shapes[i]), specs[i].label});
    return fmt::format("{} the score of equal tokens falls by {}", start,
                       extremes(std::move(falls), "with", ", by "));
}

std::string column_note() {
    return "Where distances share a place: their mean, in a band from the least to the greatest.";
}

Axis distance_axis(std::uint64_t last) {
    const auto x = static_cast<double>(std::max<std::uint64_t>(last, 2));
    return {"distance s", Scale::log2, 1, x, power_of_two_ticks(1, x, 12)};
}

Axis mean_cos_axis(double least) {
    const double first = std::floor(std::min(least, 0.0) * 5) / 5;
    return {"B̂(s)", Scale::linear, first, 1, decimal_ticks(first, 1, 11)};
}

Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances) {
    Figure figure = figure_of(
        specs,
        "Two panels against the distance on a logarithmic axis: the mean cosine of all pairs, and "
        "RoFormer's relative upper bound. Both fall in trend and oscillate.");
    figure.notes = {fmt::format("s = 1…{}. {}", grouped(last), column_note()), ripple_note};
    figure.panels = {distance_panel("Mean cosine B̂(s) = 2/d · Σᵢ cos sθᵢ", specs, last),
                     distance_panel("RoFormer’s bound A(s) = 2/d · Σⱼ |Sⱼ(s)|", specs, last)};
    const Decays decays(specs, last, distances);
    std::vector<MeanCosShape> shapes;
    double least = 1, greatest = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        shapes.push_back(decays.mean_cos_shape(i));
        least = std::min(least, shapes.back().least);
        greatest = std::max(greatest, (specs[i].spec.pairs() + 1) / 2.0);  // A(0): |Sⱼ(0)| = j
        add(figure.panels[0], specs[i].label, static_cast<int>(i), decays.mean_cos(i));
        add(figure.panels[1], specs[i].label, static_cast<int>(i), decays.roformer(i));
    }
    figure.title = decay_headline(specs, shapes);
    if (specs.size() <= 2) {
        figure.notes.push_back(ring_note(specs, shapes));
        for (std::size_t i = 0; i < specs.size(); ++i)
            mark_shape(figure.panels[0], shapes[i], specs[i].spec.max_position_embeddings);
    }
    figure.panels[0].y = mean_cos_axis(least);
    figure.panels[1].y = roformer_axis(greatest);
    return figure;
}

namespace {

// More columns would make the figure taller than a screen.
constexpr std::size_t most_columns = 4;

// One panel with the decay of all Specs and, if every second Spec is a scaled form, another with
// these; without panels of angles.
std::vector<Panel> overlaid(std::span<const NamedSpec> specs, const Decays& decays,
                            std::uint64_t last) {
    std::vector<Panel> panels = {distance_panel("Decay of the mean cosine", specs, last)};
    if (is_he_xu(specs[1].spec))
        panels.push_back(distance_panel("Decay with scaled θ", specs, last));
    const std::size_t columns = panels.size();
    for (std::size_t i = 0; i < specs.size(); ++i)
        add(panels[i % columns], specs[i - i % columns].label, static_cast<int>(i / columns),
            decays.mean_cos(i));
    return panels;
}

}  // namespace

Figure comparison_figure(std::span<const NamedSpec> specs, std::uint32_t pair, std::uint64_t last,
                         TaskCount* distances) {
    Figure figure = figure_of(
        specs,
        fmt::format(
            "A column for each setting. Above, the angle between two tokens in pair {}, modulo 2π, "
            "against their distance, with rings where property (c3) first fails. Below, the mean "
            "cosine of all pairs against the distance on a logarithmic axis.",
            pair));
    figure.columns = specs.size() == 1 ? 1 : 2;
    const Decays decays(specs, last, distances);
    std::vector<MeanCosShape> shapes;
    for (std::size_t i = 0; i < specs.size(); ++i) shapes.push_back(decays.mean_cos_shape(i));
    figure.title = decay_headline(specs, shapes);
    if (specs.size() > most_columns) {
        figure.description =
            "The mean cosine of all pairs against the distance on a logarithmic axis, a curve for "
            "each config: its own θ above, scaled θ below where that is drawn.";
        figure.notes = {"B̂(s) = 2/d · Σᵢ cos sθᵢ. plot-angles draws the angles.", column_note(),
                        ripple_note};
        figure.panels = overlaid(specs, decays, last);
        figure.columns = 1;
        const double least = std::ranges::min(shapes, {}, &MeanCosShape::least).least;
        for (Panel& panel : figure.panels) panel.y = mean_cos_axis(least);
        return figure;
    }
    figure.notes = {"B̂(s) = 2/d · Σᵢ cos sθᵢ. " + ring_note(specs, shapes), column_note(),
                    ripple_note};
    const auto color = [](std::size_t i) { return static_cast<int>(i % palette_colors); };
    const std::uint64_t searched = angle_search(specs);
    std::uint64_t reach[2] = {};  // largest s of each column's angles
    for (std::size_t i = 0; i < specs.size(); ++i)
        reach[i % 2] = std::max(reach[i % 2], default_angle_distance(specs[i], pair));
    for (std::size_t first = 0; first < specs.size(); first += 2) {
        const std::size_t end = std::min(first + 2, specs.size());
        for (std::size_t i = first; i < end; ++i) {
            // a faster pair is drawn for at most 16 turns, which remain distinguishable
            const std::uint64_t drawn =
                std::min({reach[i % 2], last, 2 * default_angle_distance(specs[i], pair)});
            figure.panels.push_back(angle_panel(specs[i], pair, drawn, searched, color(i)));
            figure.panels.back().title += " · angle difference";
        }
        for (std::size_t i = first; i < end; ++i)
            figure.panels.push_back(decay_panel(specs[i], shapes[i], decays.mean_cos(i), color(i)));
    }
    share_y_axes(figure.panels);
    note_angles(figure, pair);
    return figure;
}

Figure relatives_figure(std::span<const NamedSpec> specs, std::uint64_t last) {
    Figure figure = figure_of(
        specs,
        "The logit of two equal tokens less its value at distance 0, against the distance on a "
        "logarithmic axis: under RoPE and with sinusoidal encodings it falls and oscillates, under "
        "ALiBi it is a straight line in the distance, which is cut where it leaves the panel.");
    figure.notes = {
        "RoPE: √d·(B̂(s) − 1), of q = k = 1 in every dimension. Sinusoidal: "
        "(⟨PE(p), PE(p + s)⟩ − d/2)/√d = √d/2·(B̂(s) − 1). ALiBi: −m·s.",
        fmt::format("s = 1…{}. A line ends at {}. {}", grouped(last), "−16", column_note())};
    Panel panel;
    panel.title = "The logit at s less the one at 0";
    panel.x = distance_axis(last);
    panel.y = {"change of the logit", Scale::linear, lowest, 0, decimal_ticks(lowest, 0, 9)};
    const Decays decays(specs, last);
    std::vector<double> losses;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const double root = std::sqrt(2.0 * specs[i].spec.pairs());
        Block around;
        decays.mean_cos(i).fill(last - last % around.size(), around);
        losses.push_back(root * (1 - around[last % around.size()]));
        const std::string label = specs.size() == 1 ? "" : ", " + specs[i].label;
        add(panel, "RoPE" + label, color_of(0, i, specs.size()),
            logit_of(decays.mean_cos(i), root));
        add(panel, "sinusoidal" + label, color_of(1, i, specs.size()),
            logit_of(decays.mean_cos(i), root / 2));
    }
    add_alibi(panel, color_of(2, specs.size() % palette_colors, specs.size()), last);
    const auto [least, most] = std::ranges::minmax(losses);
    const auto range = [](double from, double to) {
        const std::string a = significant(from, 2), b = significant(to, 2);
        return a == b ? a : a + " to " + b;
    };
    const double slope = ledger::alibi_slopes(alibi_heads).front().to_double();
    figure.title = fmt::format(
        "At distance {} the logit of equal tokens is lower by {} under RoPE, by {} with sinusoidal "
        "encodings, by up to {} under ALiBi",
        grouped(last), range(least, most), range(least / 2, most / 2),
        significant(slope * static_cast<double>(last), 8));
    figure.panels = {std::move(panel)};
    return figure;
}

}  // namespace rope::plots
