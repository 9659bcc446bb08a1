// The data of one panel as SVG, in coordinates of its plot area.
#pragma once

#include <span>
#include <string>

#include "plots/svg/drawn_series.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

// Clipped to the box.
std::string draw_lines(std::span<const DrawnSeries> drawn, const Box& box);
// Those inside the box, whole.
std::string draw_dots(std::span<const DrawnSeries> drawn);

}  // namespace rope::plots
