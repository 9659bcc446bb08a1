// A figure as characters, on a grid of a terminal's cells.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plots/parts/figure.hpp"
#include "plots/svg/raster.hpp"

namespace rope::plots {

enum class Palette { none, indexed, full };  // no colour, 256 colours, 24 bits

enum class Emphasis { plain, bold, dim };

struct Look {
    std::optional<Color> ink = {}, ground = {};
    Emphasis emphasis = Emphasis::plain;
};
inline constexpr Look in_bold{{}, {}, Emphasis::bold}, dimmed{{}, {}, Emphasis::dim};

class Canvas {
  public:
    explicit Canvas(std::size_t width) : width_(width) {}

    std::size_t width() const { return width_; }
    std::size_t height() const { return rows_.size(); }

    // Printable text in one line; grows downward. What is beyond the right edge is left out.
    void put(std::size_t row, std::size_t column, std::string_view utf8, const Look& look = {});
    void put(std::size_t row, std::size_t column, const Canvas& other);
    // Below all that is there.
    void add_line(std::string_view utf8 = "", const Look& look = {}) {
        put(height(), 0, utf8, look);
    }

    // Lines that end in \n, without trailing spaces; with ECMA-48 escapes unless `palette` is none.
    std::string text(Palette palette) const;

  private:
    struct Cell {
        std::string glyph = " ";  // empty: the right half of a wide one
        Look look = {};
    };
    void grow(std::size_t rows);

    std::size_t width_;
    std::vector<std::vector<Cell>> rows_;
};

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
