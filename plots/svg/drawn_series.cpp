#include "plots/svg/drawn_series.hpp"

#include <cmath>
#include <utility>

#include "plots/parts/series.hpp"

namespace rope::plots {
namespace {

std::vector<Run> columns(const Series& series, const Frame& frame) {
    ColumnReduction reduction(frame.width);
    for (PointReader at(series); !at.ended(); at.advance())
        reduction.add(frame.x(at.x()), frame.y(at.y()), at.x());
    return std::move(reduction).finish();
}

// A column for each point: a path is drawn at its corners.
std::vector<Run> corners(const Series& series, const Frame& frame) {
    std::vector<Run> runs(1);
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        if (std::isfinite(px) && std::isfinite(py))
            runs.back().push_back({px, py, py, py, 1, at.x(), at.x()});
        else if (!runs.back().empty())
            runs.emplace_back();
    }
    if (runs.back().empty()) runs.pop_back();
    return runs;
}

}  // namespace

std::vector<Dot> drawn_dots(const Series& series, const Frame& frame) {
    const double apart = series.points() <= few_dots ? 0 : 1;
    double last_x = -1e9, last_y = -1e9;
    std::vector<Dot> drawn;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        if (!frame.holds(px, py)) continue;
        if (std::abs(px - last_x) < apart && std::abs(py - last_y) < apart) continue;
        drawn.push_back({at.x(), at.y(), px, py});
        last_x = px;
        last_y = py;
    }
    return drawn;
}

std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame) {
    std::vector<DrawnSeries> all;
    for (const Series& series : panel.series) {
        DrawnSeries& drawn = all.emplace_back(DrawnSeries{&series});
        if (series.mark == Mark::dots)
            drawn.dots = drawn_dots(series, frame);
        else if (series.mark == Mark::path || series.mark == Mark::guide)
            drawn.runs = corners(series, frame);
        else
            drawn.runs = columns(series, frame);
    }
    return all;
}

}  // namespace rope::plots
