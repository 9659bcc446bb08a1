#include <fmt/format.h>

#include <ranges>

#include "base/decimal.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

constexpr double least_error = 0x1p-40;  // lower end of the axis, in standard deviations

using Pipelines = std::span<const PipelineScores>;

bool is_finite(double x) { return std::isfinite(x); }

double error_at(const ScoreCurve& curve, std::uint64_t s) {
    return finite_or_edge(std::abs(curve.own[s] - curve.exact[s]));
}

// Dashed if it would hide an earlier pipeline; dotted after the last colour.
int color_of(Pipelines all, std::size_t i) {
    const auto own = [](const PipelineScores& one) -> auto& { return one.curve->own; };
    const auto equal = std::ranges::count(all.first(i), own(all[i]), own);
    const auto row = static_cast<int>(equal) + 2 * (static_cast<int>(i) / palette_colors);
    return static_cast<int>(i) % palette_colors + row * palette_colors;
}

// A series with the values of(curve, s) for s = 1, 2, ….
template <class Of>
Series series_of(std::string label, int color, const PipelineScores& scores, Of of) {
    Series series{std::move(label), Mark::line, color};
    const std::uint64_t last = scores.curve->own.size() - 1;
    series.curve = {last,
                    [curve = scores.curve, of, last](std::uint64_t first, std::span<double> y) {
                        for (std::size_t k = 0; k < y.size() && first + k <= last; ++k)
                            y[k] = of(*curve, first + k);
                    }};
    return series;
}

Panel scores_panel(Pipelines pipelines) {
    Panel panel;
    panel.title = "Score ⟨R(m)q, R(m − s)k⟩/√d";
    double least = HUGE_VAL, most = -HUGE_VAL;
    const auto include = [&](const std::vector<double>& scores) {  // s = 0 is not drawn
        for (const double y : scores | std::views::drop(1) | std::views::filter(is_finite)) {
            least = std::min(least, y);
            most = std::max(most, y);
        }
    };
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
        panel.series.push_back(series_of(
            pipelines[i].pipeline, color_of(pipelines, i), pipelines[i],
            [](const ScoreCurve& curve, std::uint64_t s) { return finite_or_edge(curve.own[s]); }));
        include(pipelines[i].curve->own);
    }
    include(pipelines.front().curve->exact);
    panel.series.push_back(
        series_of("exact score", 2 * palette_colors - 1, pipelines.front(),
                  [](const ScoreCurve& curve, std::uint64_t s) { return curve.exact[s]; }));
    if (least > most) least = most = 0;
    const double size = std::max(most, -least);
    const double margin = 0.05 * std::max(most - least, size > 0 ? 0.1 * size : 1);
    const double first = least - margin, last = most + margin;
    panel.y = {"score", Scale::linear, first, last, decimal_ticks(first, last, 9)};
    return panel;
}

Panel errors_panel(Pipelines pipelines) {
    const double spread = pipelines.front().curve->spread;
    Panel panel;
    panel.title = "How far off" + (pipelines.size() == 1 ? " with " + pipelines[0].pipeline : "");
    panel.subtitle = "Dashed: a tenth of the scores’ standard deviation";
    panel.levels = {{disagreement * spread, ""}};
    Extent errors = extent_of(panel);
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
        const ScoreCurve& curve = *pipelines[i].curve;
        panel.series.push_back(
            series_of(pipelines[i].pipeline, color_of(pipelines, i), pipelines[i], error_at));
        for (std::uint64_t s = 1; s < curve.own.size(); ++s) errors.include(error_at(curve, s));
        const std::uint64_t first_off = curve.first_off.value_or(0);
        if (first_off == 0 || !is_finite(curve.own[first_off])) continue;
        panel.markers.push_back({static_cast<double>(first_off), error_at(curve, first_off),
                                 "s = " + grouped(first_off)});
    }
    const double least = least_error * (spread > 0 ? spread : 1);
    errors.limit(least, HUGE_VAL);
    panel.y = log_axis("|score − exact|", errors, 0.03, 0.1);
    panel.y.below = "0 or below " + significant(least, 2);
    return panel;
}

// "Scores are not finite from s = 0 with a; off from s = 3 with b and c; right to 131,071 with
// d".
std::string scores_headline(Pipelines pipelines) {
    std::map<std::pair<int, std::uint64_t>, std::vector<std::string>> groups;
    for (const auto& [pipeline, curve] : pipelines) {
        const std::vector<double>& own = curve->own;
        const auto infinite = std::ranges::find_if_not(own, is_finite);
        const auto& off = curve->first_off;
        const int kind = infinite != own.end() ? 0 : off ? 1 : 2;
        const auto at = kind == 0 ? static_cast<std::uint64_t>(infinite - own.begin())
                                  : off.value_or(own.size() - 1);
        groups[{kind, at}].push_back(pipeline);
    }
    constexpr std::string_view words[] = {"not finite from", "off from", "right to"};
    std::string text = "Scores are ";
    for (const auto& [group, names] : groups) {
        const auto& [kind, at] = group;
        if (!text.ends_with("are ")) text += "; ";
        text += fmt::format("{} s = {} with {}", words[static_cast<std::size_t>(kind)], grouped(at),
                            names_of(names));
    }
    return text;
}

}  // namespace

Figure scores_figure(const NamedSpec& named, const std::vector<PipelineScores>& pipelines,
                     const std::string& vectors) {
    const std::uint64_t last = pipelines.front().curve->own.size() - 1;
    Figure figure = figure_of(
        {&named, 1},
        "Two panels against the distance on a logarithmic axis: the score of a query and a key "
        "by each pipeline and exactly, and how far they are apart.");
    figure.title = scores_headline(pipelines);
    figure.subtitle = named.label + " · " + figure.subtitle;
    figure.notes = {fmt::format("The query is at m = {}, the key s before it; {}. A score "
                                "is off where its error exceeds a tenth of the standard "
                                "deviation of such scores.",
                                grouped(last), vectors),
                    column_note};
    for (const auto& [pipeline, curve] : pipelines) {
        const std::vector<double>& own = curve->own;
        const auto finite = static_cast<std::size_t>(std::ranges::count_if(own, is_finite));
        if (finite < own.size())
            figure.notes.push_back(
                fmt::format("{} is not finite at {} of {} distances, marked at the upper edge.",
                            pipeline, grouped(own.size() - finite), grouped(own.size())));
    }
    figure.panels = {scores_panel(pipelines), errors_panel(pipelines)};
    for (Panel& panel : figure.panels) panel.x = distance_axis(last);
    return figure;
}

}  // namespace rope::plots
