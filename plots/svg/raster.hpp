// Cells of colours as a PNG.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plots/parts/figure.hpp"

namespace rope::plots {

struct Color {
    std::uint8_t red, green, blue, opacity = 255;
};

struct Picture {
    std::uint32_t width = 0, height = 0;
    std::vector<Color> palette;        // at most 256
    std::vector<std::uint8_t> pixels;  // indices into it, from the top left on
};

// ISO 15948, colour type 3. The same picture gives the same bytes wherever zlib is the same.
std::string png_of(const Picture& picture);

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
