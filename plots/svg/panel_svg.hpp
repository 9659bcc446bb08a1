// One panel of a figure as an SVG group.
#pragma once

#include <string>

#include "plots/parts/figure.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

std::string draw_panel(const Panel& panel, const Box& box);

}  // namespace rope::plots
