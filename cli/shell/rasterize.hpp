// SVG -> PNG or PDF, by librsvg's rsvg-convert.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope::cli {

// format is png, at twice the SVG's size, or pdf. Throws IoError naming the package when
// rsvg-convert is not there.
std::string rasterize(std::string_view svg, std::string_view format);

}  // namespace rope::cli
