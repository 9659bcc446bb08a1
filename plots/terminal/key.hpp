// Curves as braille dots, 2 × 4 per cell, and the key of a plot.
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

inline constexpr std::size_t dots_across = 2, dots_down = 4;  // per cell

class DotGrid {
  public:
    DotGrid(std::size_t columns, std::size_t rows)
        : columns_(columns), rows_(rows), bits_(columns * rows), series_(columns * rows, -1) {}

    // `frame` has one pixel per dot. If `dots_are_seen`, the points of a short series have four
    // dots each.
    void draw(const DrawnSeries& drawn, int series, bool dots_are_seen);

    // Returns the last series drawn in the cell, or −1.
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

// The plot area of a panel on a canvas.
struct PlotArea {
    std::size_t left, top, columns, rows;  // in cells
    Frame frame;                           // in dots

    bool holds_x(double x) const { return frame.holds(frame.x(x), 0); }
    bool holds_y(double y) const { return frame.holds(0, frame.y(y)); }
    std::size_t column_of(double x) const;  // column on the canvas of an x in the area
    std::size_t row_of(double y) const;
    std::size_t column_of(const Edge& edge) const;
    std::size_t row_of(const Edge& edge) const { return edge.is_above ? top : top + rows - 1; }
};

// Letters at the rules, levels and markers of a plot, explained below it.
class Key {
  public:
    Key(const Panel& panel, const PlotArea& area, std::span<const DrawnSeries> drawn,
        const TerminalStyle& style);

    void draw_lines(Canvas& canvas) const;    // before the curves
    void draw_letters(Canvas& canvas) const;  // after the curves
    void explain(Canvas& canvas) const;       // below the plot

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

// Draws the names of zones over their intervals, in one row.
void draw_zones(Canvas& canvas, std::size_t row, const Panel& panel, const PlotArea& area,
                const TerminalStyle& style);

}  // namespace rope::plots
