// A figure as an SVG document that needs nothing: no script, no font, no id.
#pragma once

#include <string>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// The same figure gives the same bytes. Opaque, and dark where the reader prefers that; any number
// of them can be inlined in one HTML page. Coordinates have two decimals; a series' extremes
// in each pixel column are kept. Labels may hold anything: they are escaped.
std::string to_svg(const Figure& figure);

}  // namespace rope::plots
