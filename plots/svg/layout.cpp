#include "plots/svg/layout.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace rope::plots {
namespace {

constexpr double margin = 24;
constexpr double y_axis = 60;  // room for the y axis' labels
constexpr double x_axis = 50;  // and for the x axis'
constexpr double gap = 14;     // between a panel's head and its plot, and between rows
constexpr double column_gap = 30;
constexpr double heading = 76;  // the figure's title and subtitle

double plot_width(int columns) { return columns == 1 ? 760 : columns == 2 ? 480 : 420; }
double plot_height(int columns) { return columns == 1 ? 300 : columns == 2 ? 250 : 230; }

double head_height(const Panel& panel, double width) {
    return gap + (panel.title.empty() ? 0 : title_height) +
           (panel.subtitle.empty() ? 0 : subtitle_height) +
           legend_height * static_cast<double>(legend_rows(panel, width).size());
}

}  // namespace

std::vector<LegendRow> legend_rows(const Panel& panel, double width) {
    LegendRow labelled;
    for (const Series& series : panel.series) {
        if (series.mark != Mark::guide && !series.label.empty()) labelled.push_back(&series);
    }
    if (labelled.size() < 2) return {};
    constexpr double character = 7.2;  // DejaVu Sans at 12 px, on average
    constexpr double swatch = 44;
    std::vector<LegendRow> rows(1);
    double used = 0;
    for (const Series* series : labelled) {
        const double wide = swatch + character * static_cast<double>(code_points(series->label));
        if (used > 0 && used + wide > width) {
            rows.emplace_back();
            used = 0;
        }
        rows.back().push_back(series);
        used += wide;
    }
    return rows;
}

Layout lay_out(const Figure& figure) {
    const int columns = std::max(1, figure.columns);
    const double width = plot_width(columns);
    const double height = plot_height(columns);
    Layout layout;
    layout.left = margin + y_axis;
    double top = heading;
    const auto panels = figure.panels.size();
    const auto per_row = static_cast<std::size_t>(columns);
    for (std::size_t row = 0; row < panels; row += per_row) {
        const std::size_t end = std::min(panels, row + per_row);
        double head = 0;
        for (std::size_t i = row; i < end; ++i) {
            head = std::max(head, head_height(figure.panels[i], width));
        }
        for (std::size_t i = row; i < end; ++i) {
            const double left =
                layout.left + static_cast<double>(i - row) * (width + column_gap + y_axis);
            layout.boxes.push_back({left, top + head, width, height, head});
        }
        top += head + height + x_axis + gap;
    }
    layout.width = layout.left + columns * width + (columns - 1) * (column_gap + y_axis) + margin;
    layout.notes = top + gap;
    layout.height = top + gap + note_height * static_cast<double>(figure.notes.size());
    return layout;
}

}  // namespace rope::plots
