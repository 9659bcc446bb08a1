// A panel of a figure in a terminal.
#pragma once

#include <string>

#include "plots/terminal/figure_text.hpp"

namespace rope::plots {

// Returns text in ASCII if the style requires it, with control characters escaped.
std::string shown(const std::string& foreign, const TerminalStyle& style);

// Adds wrapped lines below the last one.
void add_wrapped(Canvas& canvas, const std::string& foreign, const Look& look,
                 const TerminalStyle& style);

Canvas panel_canvas(const Panel& panel, std::size_t width, const TerminalStyle& style);

}  // namespace rope::plots
