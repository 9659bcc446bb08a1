#include "plots/svg/drawn_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "plots/parts/series.hpp"

namespace rope::plots {
namespace {

// Adds an edge unless there is one at this distance on that side.
void add_edge(std::vector<Edge>& edges, double px, double py, double apart, const Frame& frame) {
    if (std::isnan(py) || !frame.holds(px, 0) || frame.holds(px, py)) return;
    const bool is_above = py < 0;
    const auto is_near = [&](const Edge& edge) {
        return edge.is_above == is_above && px - edge.px < apart;
    };
    const std::size_t last = std::min<std::size_t>(edges.size(), 2);
    if (std::any_of(edges.end() - static_cast<std::ptrdiff_t>(last), edges.end(), is_near)) return;
    edges.push_back({px, is_above});
}

}  // namespace

std::string edge_words(const Panel& panel, const Series& series, bool is_above) {
    const std::string& what = is_above ? panel.y.above : panel.y.below;
    const auto named = std::ranges::count_if(
        panel.series, [](const Series& one) { return one.mark != Mark::guide; });
    return series.label.empty() || series.label == what || named < 2 ? what
                                                                     : series.label + ": " + what;
}

DrawnSeries drawn_one(const Series& series, const Frame& frame) {
    const bool is_dots = series.is_dots(), is_guide = series.mark == Mark::guide;
    const bool is_few = series.points() <= few_dots;
    const double apart = is_few ? 0 : 1;
    DrawnSeries drawn{&series};
    ColumnReduction columns =
        is_guide || series.mark == Mark::path ? ColumnReduction() : ColumnReduction(frame.width);
    double last_x = -1e9, last_y = -1e9;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        if (!is_guide) add_edge(drawn.edges, px, py, is_few ? 1 : arrow_step, frame);
        if (!is_dots) columns.add(px, py, at.x());
        if (!is_dots || !frame.holds(px, py)) continue;
        if (std::abs(px - last_x) < apart && std::abs(py - last_y) < apart) continue;
        drawn.dots.push_back({at.x(), at.y(), px, py});
        last_x = px;
        last_y = py;
    }
    drawn.runs = std::move(columns).finish();
    return drawn;
}

std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame) {
    std::vector<DrawnSeries> all;
    for (const Series& series : panel.series) all.push_back(drawn_one(series, frame));
    return all;
}

}  // namespace rope::plots
