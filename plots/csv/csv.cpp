// CSV of heatmaps, of curves, and of the points that a curve shows.
#include "plots/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv.hpp"
#include "plots/parts/figure.hpp"
#include "plots/parts/series.hpp"
#include "plots/svg/drawn_series.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {
namespace {

std::string column_line(const Heatmap& heatmap, std::size_t column, std::size_t cells) {
    std::string line = fmt::format("{},{}", heatmap.edges[column], heatmap.edges[column + 1]);
    for (std::size_t row = 0; row < cells; ++row) {
        line += ",";
        if (row >= heatmap.rows.size()) continue;
        const float value = heatmap.at(row, column);
        if (value >= 0 && std::isfinite(value))
            fmt::format_to(std::back_inserter(line), "{}", value);
    }
    return line + "\n";
}

// Writes a line per column of each panel: the panel's title if there are several, the range of
// positions, and a cell per row, empty without a number.
void write_heatmaps(const Figure& figure, const std::function<void(std::string_view)>& write) {
    const bool is_alone = figure.panels.size() == 1;
    std::vector<std::string> names;  // of the panel with the most rows
    for (const Panel& panel : figure.panels)
        if (panel.heatmap->rows.size() > names.size()) names = panel.heatmap->rows;
    std::string header = is_alone ? "" : csv_cell("subject") + ",";
    header += csv_cell("from") + "," + csv_cell("to");
    for (const std::string& name : names) header += "," + csv_cell(name);
    write(header + "\n");
    for (const Panel& panel : figure.panels) {
        const std::string subject = is_alone ? "" : csv_cell(panel.title) + ",";
        for (std::size_t column = 0; column + 1 < panel.heatmap->edges.size(); ++column)
            write(subject + column_line(*panel.heatmap, column, names.size()));
    }
}

// Infinite after the last point.
double next_x(const PointReader& reader) {
    return reader.ended() ? std::numeric_limits<double>::infinity() : reader.x();
}

void append(std::string& csv, double x) {
    if (std::isfinite(x)) fmt::format_to(std::back_inserter(csv), "{}", x == 0 ? 0.0 : x);
}

}  // namespace

void write_csv(const Figure& figure, const std::function<void(std::string_view)>& write) {
    if (!figure.panels.empty() && figure.panels.front().heatmap)
        return write_heatmaps(figure, write);
    constexpr std::size_t part = 1 << 16;  // bytes
    std::string csv = csv_cell(figure.panels.empty() ? "x" : figure.panels.front().x.label);
    std::vector<PointReader> readers;
    for (const Panel& panel : figure.panels) {
        if (panel.x.label != figure.panels.front().x.label) continue;  // not in the table
        for (const Series& series : panel.series) {
            if (series.mark == Mark::guide) continue;
            readers.emplace_back(series);
            csv += "," +
                   csv_cell(panel.title.empty() ? series.label : panel.title + ": " + series.label);
        }
    }
    csv += "\n";
    const auto least_x = [&] {
        double least = std::numeric_limits<double>::infinity();
        for (const PointReader& reader : readers) least = std::min(least, next_x(reader));
        return least;
    };
    for (double x = least_x(); std::isfinite(x); x = least_x()) {
        append(csv, x);
        for (PointReader& reader : readers) {
            csv += ",";
            if (next_x(reader) != x) continue;
            append(csv, reader.y());
            reader.advance();
        }
        csv += "\n";
        if (csv.size() < part) continue;
        write(csv);
        csv.clear();
    }
    write(csv);
}

namespace {

Series drawn(const Series& dots, const Frame& frame) {
    Series series{dots.label, dots.mark, dots.color};
    for (const Dot& dot : drawn_one(dots, frame).dots) {
        series.x.push_back(dot.x);
        series.y.push_back(dot.y);
    }
    return series;
}

void add_columns(std::vector<Series>& all, const Series& series, const Frame& frame) {
    ColumnReduction reduction(frame.width);
    for (PointReader at(series); !at.ended(); at.advance())
        reduction.add(frame.x(at.x()), at.y(), at.x());
    std::vector<Column> reduced;
    for (const Run& run : std::move(reduction).finish())
        reduced.insert(reduced.end(), run.begin(), run.end());
    if (std::ranges::all_of(reduced, [](const Column& c) { return c.points == 1; })) {
        all.push_back(series);
        return;
    }
    const auto add = [&](const char* of_column, double Column::* value) {
        Series part{series.label + of_column, series.mark, series.color};
        for (const Column& column : reduced) {
            part.x.push_back((column.first + column.last) / 2);
            part.y.push_back(column.*value);
        }
        all.push_back(std::move(part));
    };
    if (series.mark == Mark::line) add(", mean", &Column::mean);
    add(", least", &Column::low);
    add(", greatest", &Column::high);
}

}  // namespace

Figure plotted_points(const Figure& figure) {
    Figure reduced = figure;
    const Layout layout = lay_out(figure);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        const Frame frame(panel, layout.boxes[i]);
        reduced.panels[i].series.clear();
        for (const Series& series : panel.series) {
            if (series.mark == Mark::guide) continue;
            if (series.mark == Mark::path)
                reduced.panels[i].series.push_back(series);
            else if (series.mark == Mark::dots)
                reduced.panels[i].series.push_back(drawn(series, frame));
            else
                add_columns(reduced.panels[i].series, series, frame);
        }
    }
    return reduced;
}

}  // namespace rope::plots
