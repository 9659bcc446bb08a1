// Curves as braille dots, 2 × 4 per cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plots/svg/drawn_series.hpp"

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

    std::size_t columns_, rows_;
    std::vector<std::uint8_t> bits_;
    std::vector<int> series_;
};

}  // namespace rope::plots
