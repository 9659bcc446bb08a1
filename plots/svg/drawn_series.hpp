// What is drawn of a series: the columns of a line, or some of its dots.
#pragma once

#include <cstddef>
#include <vector>

#include "plots/parts/series.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

struct Dot {
    double x, y;    // in the data
    double px, py;  // in the plot area
};

inline constexpr std::size_t few_dots = 256;  // drawn large, and all of them

// The dots inside the frame, without those that are less than a pixel across and up from the last
// one drawn.
std::vector<Dot> drawn_dots(const Series& series, const Frame& frame);

struct DrawnSeries {
    const Series* series;
    std::vector<Run> runs = {};  // of a line or band its columns, of a path or guide its points
    std::vector<Dot> dots = {};
};

// Reads every series of the panel once. The panel must outlive them.
std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame);

}  // namespace rope::plots
