// CSV of curves and cells, and of the points that a curve shows.
#include "plots/terminal/csv.hpp"

#include <fmt/format.h>

#include <deque>
#include <iterator>

#include "base/printable.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {
namespace {

// The row of cells as a series over the first position of each column.
Series row_of(const Heatmap& heatmap, std::size_t row) {
    Series series{heatmap.rows[row]};
    for (std::size_t column = 0; column + 1 < heatmap.edges.size(); ++column) {
        if (heatmap.at(row, column) < 0) continue;
        series.x.push_back(heatmap.edges[column]);
        series.y.push_back(heatmap.at(row, column));
    }
    return series;
}

void append(std::string& csv, double x) {
    if (std::isfinite(x)) fmt::format_to(std::back_inserter(csv), "{}", x == 0 ? 0.0 : x);
}

// A column of y.
struct Values {
    PointReader reader;
    std::string_view infinite;  // text of an infinite value

    // Infinite after the last point.
    double next_x() const {
        return reader.ended() ? std::numeric_limits<double>::infinity() : reader.x();
    }
    // Appends the value at x, if there is one.
    void append_at(std::string& csv, double x) {
        csv += ",";
        if (next_x() != x || reader.ended()) return;
        if (std::isinf(reader.y())) csv += infinite;
        append(csv, reader.y());
        reader.advance();
    }
};

// Columns with a common x.
struct Block {
    std::string x;  // axis label
    std::vector<Values> columns = {};

    double next_x() const {
        return std::ranges::min_element(columns, {}, &Values::next_x)->next_x();
    }
};

bool is_listed(const Series& series) { return series.mark != Mark::guide || !series.label.empty(); }

void add_series(std::vector<Block>& blocks, std::string& names, const Panel& panel,
                const Series& series) {
    if (blocks.empty() || blocks.back().x != panel.x.label) {
        names += (blocks.empty() ? "" : ",") + csv_cell(panel.x.label);
        blocks.push_back({panel.x.label});
    }
    blocks.back().columns.push_back(
        {PointReader(series), panel.y.above == Axis{}.above ? "nan" : "inf"});
    names += "," + csv_cell(panel.title.empty() ? series.label : panel.title + ": " + series.label);
}

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
    if (std::ranges::all_of(reduced, [](const Column& c) { return c.points == 1; }))
        return all.push_back(series);
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

void write_csv(const Figure& figure, const std::function<void(std::string_view)>& write) {
    constexpr std::size_t part = 1 << 16;  // bytes
    std::string csv;
    std::vector<Block> blocks;
    std::deque<Series> all;  // of the columns
    for (const Panel& panel : figure.panels) {
        for (const Series& series : panel.series) {
            if (!is_listed(series)) continue;
            Series& one = all.emplace_back(series);
            if (!one.listed.empty()) one.x = one.listed;
            add_series(blocks, csv, panel, one);
        }
        for (std::size_t row = 0; panel.heatmap && row < panel.heatmap->rows.size(); ++row)
            add_series(blocks, csv, panel, all.emplace_back(row_of(*panel.heatmap, row)));
    }
    if (blocks.empty()) csv = csv_cell(figure.panels.empty() ? "x" : figure.panels[0].x.label);
    csv += "\n";
    const auto is_ended = [](const Block& block) { return std::isinf(block.next_x()); };
    while (!std::ranges::all_of(blocks, is_ended)) {
        for (Block& block : blocks) {
            const double x = block.next_x();
            if (&block != &blocks.front()) csv += ",";
            append(csv, x);
            for (Values& column : block.columns) column.append_at(csv, x);
        }
        csv += "\n";
        if (csv.size() < part) continue;
        write(csv);
        csv.clear();
    }
    write(csv);
}

Figure plotted_points(const Figure& figure) {
    Figure reduced = figure;
    const Layout layout = lay_out(figure);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        const Frame frame(panel, layout.boxes[i]);
        reduced.panels[i].series.clear();
        for (const Series& series : panel.series) {
            if (!is_listed(series)) continue;
            if (series.mark == Mark::dots)
                reduced.panels[i].series.push_back(drawn(series, frame));
            else
                add_columns(reduced.panels[i].series, series, frame);
        }
    }
    return reduced;
}

}  // namespace rope::plots
