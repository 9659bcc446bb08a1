// The data of one panel as SVG, in coordinates of its plot area.
#pragma once

#include <string>
#include <string_view>

#include "plots/svg/figure.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

// Okabe and Ito's palette, which colour-blind readers can distinguish; without its yellow, which is
// too faint on white.
std::string_view palette(int color);

// Clipped to the box.
std::string draw_lines(const Panel& panel, const Box& box);
// Those inside the box, whole.
std::string draw_dots(const Panel& panel, const Box& box);

}  // namespace rope::plots
