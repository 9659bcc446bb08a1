#include "plots/svg/drawn_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "plots/parts/series.hpp"

namespace rope::plots {
namespace {

// Adds an edge unless an arrow overlaps on that side.
void add_edge(std::vector<Edge>& edges, double px, double py, const Frame& frame) {
    if (std::isnan(py) || !frame.holds(px, 0) || frame.holds(px, py)) return;
    const bool is_above = py < 0;
    const auto is_near = [&](const Edge& edge) {
        return edge.is_above == is_above && px - edge.px < arrow_step;
    };
    const std::size_t last = std::min<std::size_t>(edges.size(), 2);
    if (std::any_of(edges.end() - static_cast<std::ptrdiff_t>(last), edges.end(), is_near)) return;
    edges.push_back({px, is_above});
}

std::vector<Run> columns(const Series& series, const Frame& frame, std::vector<Edge>& edges) {
    ColumnReduction reduction(frame.width);
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        add_edge(edges, px, py, frame);
        reduction.add(px, py, at.x());
    }
    return std::move(reduction).finish();
}

// A column per point: a path is drawn through all of them.
std::vector<Run> corners(const Series& series, const Frame& frame, std::vector<Edge>& edges) {
    std::vector<Run> runs(1);
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        if (series.mark != Mark::guide) add_edge(edges, px, py, frame);
        if (std::isfinite(px) && std::isfinite(py))
            runs.back().push_back({px, py, py, py, 1, at.x(), at.x()});
        else if (!runs.back().empty())
            runs.emplace_back();
    }
    if (runs.back().empty()) runs.pop_back();
    return runs;
}

std::vector<Dot> dots_and_edges(const Series& series, const Frame& frame,
                                std::vector<Edge>& edges) {
    const double apart = series.points() <= few_dots ? 0 : 1;
    double last_x = -1e9, last_y = -1e9;
    std::vector<Dot> drawn;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        add_edge(edges, px, py, frame);
        if (!frame.holds(px, py)) continue;
        if (std::abs(px - last_x) < apart && std::abs(py - last_y) < apart) continue;
        drawn.push_back({at.x(), at.y(), px, py});
        last_x = px;
        last_y = py;
    }
    return drawn;
}

}  // namespace

std::vector<Dot> drawn_dots(const Series& series, const Frame& frame) {
    std::vector<Edge> edges;
    return dots_and_edges(series, frame, edges);
}

std::string edge_words(const Panel& panel, const Series& series, bool is_above) {
    const std::string& what = is_above ? panel.y.above : panel.y.below;
    const auto named = std::ranges::count_if(
        panel.series, [](const Series& one) { return one.mark != Mark::guide; });
    return series.label.empty() || series.label == what || named < 2 ? what
                                                                     : series.label + ": " + what;
}

std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame) {
    std::vector<DrawnSeries> all;
    for (const Series& series : panel.series) {
        DrawnSeries& drawn = all.emplace_back(DrawnSeries{&series});
        if (series.is_dots())
            drawn.dots = dots_and_edges(series, frame, drawn.edges);
        else if (series.mark == Mark::path || series.mark == Mark::guide)
            drawn.runs = corners(series, frame, drawn.edges);
        else
            drawn.runs = columns(series, frame, drawn.edges);
    }
    return all;
}

}  // namespace rope::plots
