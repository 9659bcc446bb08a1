#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "base/grouped.hpp"
#include "plots/figures/decay.hpp"
#include "plots/figures/figures.hpp"
#include "plots/figures/subject.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

constexpr double least_error = 0x1p-40;  // errors of less, and none, are drawn there

using Curves = std::shared_ptr<const ScoreCurve>;

bool is_finite(double x) { return std::isfinite(x); }

double error_at(const ScoreCurve& curve, std::uint64_t s) {
    const double error = std::abs(curve.own[s] - curve.exact[s]);
    return error < least_error ? least_error : error;  // NaN stays NaN
}

// What `of` makes of the curves at s = 1, 2, …
template <class Of>
Series series_of(std::string label, int color, const Curves& curves, Of of) {
    Series series{std::move(label), Mark::line, color};
    const std::uint64_t last = curves->own.size() - 1;
    series.curve = {last, [curves, of, last](std::uint64_t first, std::span<double> y) {
                        for (std::size_t k = 0; k < y.size() && first + k <= last; ++k)
                            y[k] = of(*curves, first + k);
                    }};
    return series;
}

struct Extremes {
    double least, most;

    void include(double y) {
        if (!std::isfinite(y)) return;
        least = std::min(least, y);
        most = std::max(most, y);
    }
};

Panel scores_panel(std::span<const PipelineScores> pipelines, std::span<const Curves> curves) {
    Panel panel;
    panel.title = "Score ⟨R(m)q, R(m − s)k⟩/√d";
    Extremes scores{0, 0};
    for (std::size_t i = 0; i < curves.size(); ++i) {
        panel.series.push_back(
            series_of(pipelines[i].pipeline, static_cast<int>(i) + 1, curves[i],
                      [](const ScoreCurve& curve, std::uint64_t s) { return curve.own[s]; }));
        for (const double y : curves[i]->own) scores.include(y);
    }
    for (const double y : curves.front()->exact) scores.include(y);
    panel.series.push_back(
        series_of("exact", 0, curves.front(),
                  [](const ScoreCurve& curve, std::uint64_t s) { return curve.exact[s]; }));
    const double margin = 0.05 * std::max(scores.most - scores.least, 1e-9);
    const double first = scores.least - margin, last = scores.most + margin;
    panel.y = {"score", Scale::linear, first, last, decimal_ticks(first, last, 9)};
    return panel;
}

Panel errors_panel(std::span<const PipelineScores> pipelines, std::span<const Curves> curves) {
    Panel panel;
    panel.title = "How far off";
    panel.levels = {{disagreement * curves.front()->spread, "a tenth of the standard deviation"}};
    Extremes errors{panel.levels[0].y, panel.levels[0].y};
    std::vector<Marker> off_scale;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const ScoreCurve& curve = *curves[i];
        panel.series.push_back(
            series_of(pipelines[i].pipeline, static_cast<int>(i) + 1, curves[i], error_at));
        for (std::uint64_t s = 1; s < curve.own.size(); ++s) errors.include(error_at(curve, s));
        const auto infinite = std::ranges::find_if_not(curve.own, is_finite);
        if (infinite != curve.own.end())
            off_scale.push_back({std::max(1.0, static_cast<double>(infinite - curve.own.begin())),
                                 0, pipelines[i].pipeline + ": not finite"});
        const std::uint64_t first_off = curve.first_off.value_or(0);
        if (first_off == 0 || !is_finite(curve.own[first_off])) continue;
        panel.markers.push_back({static_cast<double>(first_off), error_at(curve, first_off),
                                 pipelines[i].pipeline + " from s = " + grouped(first_off)});
    }
    for (Marker& marker : off_scale) {
        marker.y = errors.most;
        panel.markers.push_back(std::move(marker));
    }
    const double first = errors.least / 2, last = 2 * errors.most;
    panel.y = {"|score − exact|", Scale::log2, first, last, power_of_two_ticks(first, last, 9)};
    return panel;
}

// What no line shows.
void note_infinite(Figure& figure, const std::string& pipeline, const std::vector<double>& own) {
    const auto first = std::ranges::find_if_not(own, is_finite);
    if (first == own.end()) return;
    const auto count = own.end() - first - std::count_if(first, own.end(), is_finite);
    figure.notes.push_back(fmt::format(
        "{} is not finite at {} of {} distances, first at s = {}: it has no line there.", pipeline,
        grouped(static_cast<std::uint64_t>(count)), grouped(own.size()),
        grouped(static_cast<std::uint64_t>(first - own.begin()))));
}

}  // namespace

Figure scores_figure(const NamedSpec& named, std::vector<PipelineScores> pipelines,
                     const std::string& vectors) {
    std::vector<Event> events;
    std::vector<Curves> curves;
    for (PipelineScores& each : pipelines) {
        events.push_back({each.pipeline, each.curve.first_off});
        curves.push_back(std::make_shared<const ScoreCurve>(std::move(each.curve)));
    }
    const std::uint64_t last = curves.front()->own.size() - 1;
    Figure figure;
    figure.title = headline("Score", "disagrees", events, last);
    figure.subtitle = named.label + " · " + shared_parameters({&named, 1});
    figure.description =
        "Two panels against the distance on a logarithmic axis: the score of a query and a key "
        "by each pipeline and exactly, and how far they are apart.";
    figure.notes = {fmt::format("The query is at m = {}, the key s before it; {}. A score "
                                "disagrees where it is off by more than a tenth of the "
                                "standard deviation of such scores.",
                                grouped(last), vectors),
                    column_note()};
    for (std::size_t i = 0; i < curves.size(); ++i)
        note_infinite(figure, pipelines[i].pipeline, curves[i]->own);
    figure.parameters = parameters({&named, 1});
    figure.panels = {scores_panel(pipelines, curves), errors_panel(pipelines, curves)};
    for (Panel& panel : figure.panels) panel.x = distance_axis(last);
    return figure;
}

}  // namespace rope::plots
