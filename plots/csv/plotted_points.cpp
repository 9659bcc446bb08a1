#include "plots/csv/plotted_points.hpp"

#include <algorithm>
#include <utility>

#include "plots/parts/point_reader.hpp"
#include "plots/svg/drawn_series.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/reduce.hpp"

namespace rope::plots {
namespace {

Series drawn(const Series& dots, const Frame& frame) {
    Series series{dots.label, dots.mark, dots.color};
    for (const Dot& dot : drawn_dots(dots, frame)) {
        series.x.push_back(dot.x);
        series.y.push_back(dot.y);
    }
    return series;
}

std::vector<Column> columns(const Series& series, const Frame& frame) {
    ColumnReduction reduction(frame.width);
    for (PointReader at(series); !at.ended(); at.advance())
        reduction.add(frame.x(at.x()), at.y(), at.x());
    std::vector<Column> all;
    for (const Run& run : std::move(reduction).finish())
        all.insert(all.end(), run.begin(), run.end());
    return all;
}

void add_columns(std::vector<Series>& all, const Series& series, const Frame& frame) {
    const std::vector<Column> reduced = columns(series, frame);
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
