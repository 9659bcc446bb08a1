// A figure as lines of text for a terminal.
#pragma once

#include <string>

#include "plots/parts/figure.hpp"
#include "plots/terminal/canvas.hpp"

namespace rope::plots {

struct TerminalStyle {
    std::size_t width = 80;  // cells; at least 40
    bool is_ascii = false;   // else braille dots and blocks
    Palette palette = Palette::none;
};

// No line is wider. Curves are dots of braille in their series' colour, or without braille or
// colours one mark for each series; cells of a heatmap are half blocks, or without colours shades.
// Letters in a plot are explained below it.
std::string to_text(const Figure& figure, const TerminalStyle& style);

}  // namespace rope::plots
