#include "plots/judged/row_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/grouped.hpp"
#include "plots/judged/pair_panels.hpp"
#include "plots/judged/position_axis.hpp"
#include "plots/parts/ticks.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {
namespace {

std::string place_text(const RowPlace& place) {
    return position_text(place.position) + (place.group.empty() ? "" : ", " + place.group);
}

std::string summary(const RowEvidence& rows) {
    if (rows.off == 0)
        return fmt::format("all {} rows within what rounding allows", grouped(rows.rows));
    return fmt::format("{} of {} rows off, first at position {}", grouped(rows.off),
                       grouped(rows.rows), place_text(*rows.first_off));
}

std::string error_text(double error) {
    return std::isfinite(error) ? significant(error, 2) : "not finite";
}

void add_curve(Panel& panel, const RowEvidence& rows) {
    const bool is_listed = rows.positions.scale == PositionScale::listed;
    Series series{"largest error", is_listed ? Mark::dots : Mark::path, 0};
    double least = 1, most = 1;
    for (std::size_t k = 0; k < rows.columns(); ++k) {
        if (rows.worst[k] < 0) continue;
        series.x.push_back(middle_of(rows.positions.edges[k], rows.positions));
        series.y.push_back(drawn_error(rows.worst[k]));
        least = std::min(least, series.y.back());
        most = std::max(most, series.y.back());
    }
    panel.series = {std::move(series)};
    panel.levels = {{1, "what rounding allows"}};
    panel.y = allowance_axis(least, most);
}

// The colours from a hundredth of the allowance to the largest error.
void add_cells(Panel& panel, const RowEvidence& rows) {
    double most = 10;
    for (const float error : rows.worst)
        if (std::isfinite(error)) most = std::max<double>(most, error);
    panel.heatmap = Heatmap{rows.positions.edges, rows.positions.columns, rows.groups, rows.worst};
    panel.heatmap->low = 0.01;
    panel.heatmap->high = std::pow(10, std::ceil(std::log10(most)));
    panel.heatmap->label = "error";
    const auto lines = static_cast<double>(rows.groups.size());
    panel.y = {rows.kind, Scale::linear, -0.5, lines - 0.5, {}};
    const std::size_t step = std::max<std::size_t>(1, std::bit_ceil(rows.groups.size()) / 8);
    for (std::size_t k = 0; k < rows.groups.size(); k += step)
        panel.y.ticks.push_back(
            {static_cast<double>(k), fixed(static_cast<double>(k * rows.groups_per_line), 0)});
}

}  // namespace

Panel row_panel(const RowEvidence& rows) {
    Panel panel;
    panel.title = "Largest error of each row";
    panel.subtitle = summary(rows);
    panel.x = position_axis(rows.positions);
    const bool has_several = rows.groups.size() > 1;
    if (has_several)
        add_cells(panel, rows);
    else
        add_curve(panel, rows);
    if (rows.first_off)
        panel.rules = {{place_of(rows.first_off->position, rows.positions),
                        "off from " + position_text(rows.first_off->position)}};
    if (rows.worst_row && rows.off > 0) {
        const RowPlace& worst = *rows.worst_row;
        panel.markers = {
            {middle_of(worst.position, rows.positions),
             has_several ? static_cast<double>(worst.line) : drawn_error(worst.error),
             fmt::format("worst {} at {}", error_text(worst.error), place_text(worst))}};
    }
    return panel;
}

}  // namespace rope::plots
