// A figure as characters in a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plots/parts/figure.hpp"

namespace rope::plots {

struct TerminalStyle {
    std::size_t width = 80;   // cells, at least 40
    bool has_colors = false;  // 256
};

// Returns lines of at most this width. Curves are braille dots in the colour of their series;
// without colours, one mark per series. A key below a plot explains its letters. Zones and heatmaps
// are not drawn: no figure of a terminal has them.
std::string to_text(const Figure& figure, const TerminalStyle& style);

// The parts of to_text().

// Returns the width in cells of printable text.
std::size_t cells_of(std::string_view utf8);

// How text looks: parameters of ECMA-48's SGR.
using Look = std::string;
inline const Look in_bold = ";1", dimmed = ";2";

class Canvas {
  public:
    explicit Canvas(const TerminalStyle& style) : style(style) {}

    const TerminalStyle style;

    std::size_t height() const { return rows_.size(); }

    // Writes printable text on one line. The canvas grows downward; text beyond its right edge is
    // cut.
    void put(std::size_t row, std::size_t column, std::string_view utf8, const Look& look = {});
    void put(std::size_t row, std::size_t column, const Canvas& other);
    // Writes an empty line, or foreign text in lines, below the last one.
    void add_line() { put(height(), 0, ""); }
    void add_wrapped(const std::string& foreign, const Look& look);

    // Returns lines that end in a newline, without trailing spaces; with ECMA-48 escapes unless
    // the style has no colours.
    std::string text() const;

  private:
    struct Cell {
        std::string glyph = " ";  // empty: right half of a wide character
        Look look = {};
    };

    std::vector<std::vector<Cell>> rows_;
};

// Draws the panel with the width of the style.
Canvas panel_canvas(const Panel& panel, const TerminalStyle& style);

}  // namespace rope::plots
