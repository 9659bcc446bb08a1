#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "plots/figures/subject.hpp"
#include "plots/judged/judged.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

void ring_worst(Panel& panel, const PositionParts& parts, const Finding& accuracy) {
    const auto error = number_of(accuracy, "worst_error");
    const auto position = number_of(accuracy, "worst_error_position");
    const auto pair = number_of(accuracy, "worst_error_pair");
    if (!error || !position || !pair) return;
    panel.markers.push_back({middle_of(*position, parts), *pair, "worst"});
    panel.subtitle = fmt::format("{}{}orst error {} at position {}, pair {}", panel.subtitle,
                                 panel.subtitle.empty() ? "W" : " · w", error_text(*error),
                                 position_text(*position), position_text(*pair));
}

// The lower end of the colours: one of two, for float32 and float64, so that figures are
// comparable.
double least_color(const ErrorMap& errors) {
    const auto is_seen = [](float error) { return error > 1e-8F; };
    return std::ranges::any_of(errors.worst, is_seen) ? 1e-8 : 1e-16;
}

Heatmap heatmap_of(const ErrorMap& errors) {
    Heatmap heatmap{errors.positions.edges, errors.positions.columns, {}, errors.worst};
    for (std::uint32_t first = 0; first < errors.pairs; first += errors.pairs_per_row)
        heatmap.rows.push_back(
            "pair " + range(first, std::min(first + errors.pairs_per_row, errors.pairs) - 1));
    heatmap.low = least_color(errors);
    heatmap.label = "|error|";
    return heatmap;
}

// `verdict`: the subtitle.
Panel panel_of(const MappedReport& mapped, const std::string& title, const std::string& verdict) {
    Panel panel;
    panel.title = title;
    panel.subtitle = verdict;
    panel.x = position_axis(mapped.errors.positions);
    panel.y = pair_axis(mapped.errors.pairs);
    panel.y.last = static_cast<double>(mapped.errors.rows()) * mapped.errors.pairs_per_row - 0.5;
    panel.heatmap = heatmap_of(mapped.errors);
    const Finding* accuracy = accuracy_of(mapped.report);
    if (!accuracy) return panel;
    const PositionParts& parts = mapped.errors.positions;
    const auto add_rule = [&](double position, const char* limit) {
        panel.rules.push_back(
            {place_of(position, parts),
             fmt::format("error above {} from position {}", limit, position_text(position))});
    };
    if (const auto position = number_of(*accuracy, "first_beyond_1e_3"))
        add_rule(*position, "10⁻³");
    if (accuracy->violations) add_rule(accuracy->violations->first_position, "its tolerance");
    ring_worst(panel, parts, *accuracy);
    return panel;
}

// Gives the panels the longest axis of positions, if they begin alike.
void share_x_axes(std::vector<Panel>& panels) {
    const auto last = [](const Panel& panel) { return panel.x.last; };
    const Axis longest = std::ranges::max_element(panels, {}, last)->x;
    for (Panel& panel : panels) {
        if (panel.x.scale != longest.scale || panel.x.first != longest.first) continue;
        Heatmap& cells = *panel.heatmap;
        for (std::size_t k = 0; k < cells.columns.size(); ++k) {
            const double x = longest.at((static_cast<double>(k) + 0.5) /
                                        static_cast<double>(cells.columns.size()));
            const auto after = std::ranges::upper_bound(cells.edges, x) - cells.edges.begin();
            cells.columns[k] = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
        }
        panel.x = longest;
    }
}

}  // namespace

Figure precision_figure(std::span<const MappedReport> reports, const RequiredClaims& required) {
    Figure figure = figure_of_reports(
        reports, required,
        "Cells over position and pair, coloured by the largest error of cos and sin in each. Lines "
        "mark the first position beyond a limit, a ring the worst error.");
    const auto is_infinite = [](const MappedReport& mapped) {
        return !std::ranges::all_of(mapped.errors.worst,
                                    [](float error) { return std::isfinite(error); });
    };
    const auto exceeds_tolerance = [](const MappedReport& mapped) {
        const Finding* accuracy = accuracy_of(mapped.report);
        return accuracy && accuracy->violations;
    };
    figure.notes = {fmt::format(
        "Colour: the largest error of cos and sin in each cell of positions and pairs, against the "
        "exact value{}.{}",
        std::ranges::any_of(reports, is_infinite) ? "; crimson where it is not finite" : "",
        std::ranges::any_of(reports, exceeds_tolerance)
            ? " A tolerance is the largest error that rounding can explain, by position and "
              "frequency."
            : "")};
    if (reports.size() == 1)  // its name and verdict are the figure's title
        figure.panels = {panel_of(reports.front(), "Error over position and pair", "")};
    else
        for (const MappedReport& mapped : reports)
            figure.panels.push_back(
                panel_of(mapped, mapped.label, verdict_line(mapped.report, required)));
    const auto is_listed = [](const MappedReport& mapped) {
        return mapped.errors.positions.scale == PositionScale::listed;
    };
    if (std::ranges::none_of(reports, is_listed)) share_x_axes(figure.panels);
    return figure;
}

}  // namespace rope::plots
