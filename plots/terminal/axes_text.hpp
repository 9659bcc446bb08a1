// The axes around a plot area in a terminal.
#pragma once

#include <cstddef>

#include "plots/terminal/key.hpp"

namespace rope::plots {

// Cells that the labels of the y axis take, with the axis itself.
std::size_t y_axis_cells(const Axis& axis, std::size_t width, const TerminalStyle& style);

// Left of the area the y axis, below it the x axis; ticks are labelled where there is room.
void draw_axes(Canvas& canvas, const Panel& panel, const PlotArea& area,
               const TerminalStyle& style);

}  // namespace rope::plots
