// Pictures as the terminals that can show them read them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "plots/raster/png.hpp"

namespace rope::plots {

// https://sw.kovidgoyal.net/kitty/graphics-protocol: a PNG (f=100) in parts of 4096 bytes, shown at
// once (a=T) over so many columns, unanswered (q=2).
std::string kitty_of(std::string_view png, std::size_t columns);

// VT330/VT340 Programmer Reference Manual, volume 2, chapter 14: bands of six rows, in each the
// columns of every colour that it has.
std::string sixel_of(const Picture& picture);

}  // namespace rope::plots
