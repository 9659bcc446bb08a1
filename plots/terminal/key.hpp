// What a plot shows beside its curves: lines and places, each with a letter that is explained
// below.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plots/svg/frame.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::plots {

// A plot area on a canvas.
struct PlotArea {
    std::size_t left, top, columns, rows;  // cells
    Frame frame;                           // in dots

    bool holds_x(double x) const { return frame.holds(frame.x(x), 0); }
    bool holds_y(double y) const { return frame.holds(0, frame.y(y)); }
    std::size_t column_of(double x) const;  // on the canvas, of a place inside
    std::size_t row_of(double y) const;
};

class Key {
  public:
    Key(const Panel& panel, const PlotArea& area, const TerminalStyle& style);

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
