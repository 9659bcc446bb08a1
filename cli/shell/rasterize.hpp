// SVG -> PNG or PDF, by librsvg's rsvg-convert.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope::cli {

// format is png or pdf; width is in pixels, 0 for twice that of the SVG or, as PDF, its own. Throws
// IoError naming the package when rsvg-convert is not there.
std::string rasterize(std::string_view svg, std::string_view format, std::size_t width = 0);

// The same of "FORMAT WIDTH", as a sandbox leaves it to the process outside.
std::string rasterize_as(const std::string& how, const std::string& svg);

}  // namespace rope::cli
