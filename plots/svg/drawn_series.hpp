// The drawn form of a series: columns of a line, or the visible dots.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plots/parts/series.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

struct Dot {
    double x, y;    // data coordinates
    double px, py;  // pixels in the plot area
};

// A value outside the y axis, infinite, or ≤ 0 on a logarithmic axis: an arrow at that end.
struct Edge {
    double px;
    bool is_above;
};
inline constexpr double arrow = 8, arrow_step = 10;  // size of an arrow, and distance of two rows

inline constexpr std::size_t few_dots = 256;  // up to this many, all are drawn, large

struct DrawnSeries {
    const Series* series;
    std::vector<Run> runs = {};    // columns of a line or band; points of a path or guide
    std::vector<Dot> dots = {};    // inside the frame; of many, those a pixel from the last one
    std::vector<Edge> edges = {};  // of more than few_dots points, at least arrow_step apart
};

// "hf-fp32: not finite": the axis' name for values beyond it.
std::string edge_words(const Panel& panel, const Series& series, bool is_above);

// Reads the series once. It must outlive the result.
DrawnSeries drawn_one(const Series& series, const Frame& frame);

// Reads every series of the panel once. The panel must outlive the result.
std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame);

}  // namespace rope::plots
