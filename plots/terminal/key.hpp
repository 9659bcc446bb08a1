// Curves as dots, 2 × 4 in each cell, and the key to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plots/svg/drawn_series.hpp"
#include "plots/svg/layout.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::plots {

inline constexpr std::size_t dots_across = 2, dots_down = 4;  // of a cell

class DotGrid {
  public:
    DotGrid(std::size_t columns, std::size_t rows)
        : columns_(columns), rows_(rows), bits_(columns * rows), series_(columns * rows, -1) {}

    // `frame` has as many pixels as there are dots. Where dots are seen, few points have four each.
    void draw(const DrawnSeries& drawn, int series, bool dots_are_seen);

    // The series that was drawn there last, or −1.
    int series_at(std::size_t row, std::size_t column) const {
        return series_[row * columns_ + column];
    }
    std::string braille_at(std::size_t row, std::size_t column) const;

  private:
    void dot(double px, double py, int series);
    void line(double x0, double y0, double x1, double y1, int series);
    void draw_run(const Run& run, bool has_mean, int series);

    std::size_t columns_, rows_;
    std::vector<std::uint8_t> bits_;
    std::vector<int> series_;
};

// What a plot shows beside its curves: lines and places, each with a letter that is explained
// below.

// A plot area on a canvas.
struct PlotArea {
    std::size_t left, top, columns, rows;  // cells
    Frame frame;                           // in dots

    bool holds_x(double x) const { return frame.holds(frame.x(x), 0); }
    bool holds_y(double y) const { return frame.holds(0, frame.y(y)); }
    std::size_t column_of(double x) const;  // on the canvas, of a place inside
    std::size_t row_of(double y) const;
    std::size_t column_of(const Edge& edge) const;
    std::size_t row_of(const Edge& edge) const { return edge.is_above ? top : top + rows - 1; }
};

class Key {
  public:
    Key(const Panel& panel, const PlotArea& area, std::span<const DrawnSeries> drawn,
        const TerminalStyle& style);

    void draw_lines(Canvas& canvas) const;    // before the curves
    void draw_letters(Canvas& canvas) const;  // and after them
    void explain(Canvas& canvas) const;       // below

  private:
    struct Entry {
        enum class Kind { rule, level, marker } kind;
        std::size_t row, column;
        std::size_t letter_row, letter_column;
        std::string letter, words;
    };
    void add(Entry::Kind kind, std::size_t row, std::size_t column, const std::string& words);

    const PlotArea& area_;
    const TerminalStyle& style_;
    std::vector<Entry> entries_;
};

// The names of the zones over their stretches, in one row.
void draw_zones(Canvas& canvas, std::size_t row, const Panel& panel, const PlotArea& area,
                const TerminalStyle& style);

}  // namespace rope::plots
