// A heatmap in a terminal's cells.
#pragma once

#include "plots/parts/heatmap.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::plots {

// Each half block has the largest value of the cells it covers; without colours or blocks each
// character, in shades from space to @, ! where it is not finite.
void draw_cells(Canvas& canvas, std::size_t row, std::size_t column, std::size_t columns,
                std::size_t rows, const Heatmap& heatmap, const TerminalStyle& style);

// The shades from the low end to the high one, in so many cells.
void draw_shades(Canvas& canvas, std::size_t row, std::size_t column, std::size_t columns,
                 const Heatmap& heatmap, const TerminalStyle& style);

}  // namespace rope::plots
