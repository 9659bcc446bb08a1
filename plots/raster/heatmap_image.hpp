// A heatmap as SVG images, each of which holds a PNG.
#pragma once

#include <string>

#include "plots/parts/heatmap.hpp"
#include "plots/raster/png.hpp"

namespace rope::plots {

// As many pixels to each part of the x axis and to each row of cells as make the picture sharp at
// twice this size, where a viewer smooths it. Cividis, which colour-blind readers can order; a
// value that is not finite is crimson, no cell is transparent.
Picture picture_of(const Heatmap& heatmap, double width, double height);

// The colour of a value ≥ 0 in it.
Color shown_color(float value, const Heatmap& heatmap);

// Of a plot area from (0, 0).
std::string heatmap_image(const Heatmap& heatmap, double width, double height);

// The colours from the high end down to the low one.
std::string scale_image(double left, double width, double height);

}  // namespace rope::plots
