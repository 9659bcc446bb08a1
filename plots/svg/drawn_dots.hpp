// Which dots of a series are drawn.
#pragma once

#include <cstddef>
#include <vector>

#include "plots/svg/frame.hpp"
#include "plots/svg/series.hpp"

namespace rope::plots {

struct Dot {
    double x, y;    // in the data
    double px, py;  // in the plot area
};

inline constexpr std::size_t few_dots = 256;  // drawn large, and all of them

// The dots inside the frame, without those that are less than a pixel across and up from the last
// one drawn.
std::vector<Dot> drawn_dots(const Series& series, const Frame& frame);

}  // namespace rope::plots
