// A panel of a figure in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "plots/terminal/figure_text.hpp"

namespace rope::plots {

// Returns the width in cells of printable text.
std::size_t cells_of(std::string_view utf8);

// Returns printable text in ASCII: θ₀ as theta_0, 10⁻³ as 10^-3, characters without a spelling as
// ?.
std::string ascii(std::string_view utf8);

// Returns text in ASCII if the style requires it, with control characters escaped.
std::string shown(const std::string& foreign, const TerminalStyle& style);

// Adds wrapped lines below the last one.
void add_wrapped(Canvas& canvas, const std::string& foreign, const Look& look,
                 const TerminalStyle& style);

Canvas panel_canvas(const Panel& panel, std::size_t width, const TerminalStyle& style);

}  // namespace rope::plots
