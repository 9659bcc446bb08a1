// Where a series' points are in its plot area, and which of its dots are drawn.
#pragma once

#include <cstddef>
#include <vector>

#include "plots/svg/figure.hpp"
#include "plots/svg/frame.hpp"

namespace rope::plots {

struct SeriesPixels {
    std::vector<double> x, y;
};
SeriesPixels to_pixels(const Series& series, const Frame& frame);

inline constexpr std::size_t few_dots = 256;  // drawn large, and all of them

// The indices of the dots inside the frame, without those that are less than a pixel across and up
// from the last one drawn.
std::vector<std::size_t> drawn_dots(const SeriesPixels& at, const Frame& frame);

}  // namespace rope::plots
