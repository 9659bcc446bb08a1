// Heatmaps as PNG images.
#pragma once

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
    std::vector<Color> palette;        // at most 256 colours
    std::vector<std::uint8_t> pixels;  // palette indices, row by row from the top left
};

// Returns a PNG (ISO 15948, colour type 3). Equal pictures give equal bytes with one version of
// zlib.
std::string png_of(const Picture& picture);

// Returns the cells with as many pixels each as keep them sharp at twice this size. Colours are
// cividis, which colour-blind readers can order; values that are not finite are crimson, missing
// cells transparent.
Picture picture_of(const Heatmap& heatmap, double width, double height);

// Returns the image of a plot area at (0, 0).
std::string heatmap_image(const Heatmap& heatmap, double width, double height);

// Returns the colour scale, high values at the top.
std::string scale_image(double left, double width, double height);

}  // namespace rope::plots
