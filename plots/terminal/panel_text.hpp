// One panel of a figure in a terminal.
#pragma once

#include <string>

#include "plots/terminal/figure_text.hpp"

namespace rope::plots {

// As the style writes it, with nothing that a terminal obeys.
std::string shown(const std::string& foreign, const TerminalStyle& style);

// Wrapped lines below all that is there.
void add_wrapped(Canvas& canvas, const std::string& foreign, const Look& look,
                 const TerminalStyle& style);

Canvas panel_canvas(const Panel& panel, std::size_t width, const TerminalStyle& style);

}  // namespace rope::plots
