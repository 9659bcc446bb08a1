// What is drawn of a series: the columns of a line, or some of its dots.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plots/parts/series.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

struct Dot {
    double x, y;    // in the data
    double px, py;  // in the plot area
};

// A value beyond the y axis, infinite or not, or 0 on a logarithmic one: an arrow at that end.
struct Edge {
    double px;
    bool is_above;
};
inline constexpr double arrow = 8, arrow_step = 10;  // width and height, and from one to the next

inline constexpr std::size_t few_dots = 256;  // drawn large, and all of them

// The dots inside the frame, without those that are less than a pixel across and up from the last
// one drawn.
std::vector<Dot> drawn_dots(const Series& series, const Frame& frame);

struct DrawnSeries {
    const Series* series;
    std::vector<Run> runs = {};  // of a line or band its columns, of a path or guide its points
    std::vector<Dot> dots = {};
    std::vector<Edge> edges = {};  // arrow_step apart
};

// "hf-fp32: not finite": what the panel's axis says of values beyond it.
std::string edge_words(const Panel& panel, const Series& series, bool is_above);

// Reads every series of the panel once. A line passes through the markers that are points of it.
// The panel must outlive them.
std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame);

}  // namespace rope::plots
