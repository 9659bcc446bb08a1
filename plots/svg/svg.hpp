// A figure as a self-contained SVG document, without script, font or id.
#pragma once

#include <string>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// Returns equal bytes for equal figures. The background is opaque, dark for readers who prefer
// that; several can be inlined in one HTML page. Coordinates have two decimals; the extremes of a
// series in each pixel column are kept. Labels are escaped.
std::string to_svg(const Figure& figure);

}  // namespace rope::plots
