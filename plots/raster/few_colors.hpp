// A picture in true colour with the colours that a terminal can hold.
#pragma once

#include "plots/raster/pixels.hpp"
#include "plots/raster/png.hpp"

namespace rope::plots {

// Colours that agree in the top five bits of each channel become their mean; the 256 most frequent
// of these stay, and every other pixel takes the nearest one.
Picture with_few_colors(const Pixels& pixels);

}  // namespace rope::plots
