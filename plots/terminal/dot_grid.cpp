#include "plots/terminal/dot_grid.hpp"

#include <algorithm>
#include <cmath>

namespace rope::plots {
namespace {

// Braille dots 1, 2, 3, 7 on the left and 4, 5, 6, 8 on the right (Unicode 15, U+2800).
constexpr std::uint8_t dot_bits[dots_across][dots_down] = {{0x01, 0x02, 0x04, 0x40},
                                                           {0x08, 0x10, 0x20, 0x80}};

}  // namespace

void DotGrid::dot(double px, double py, int series) {
    const auto width = static_cast<double>(columns_ * dots_across);
    const auto height = static_cast<double>(rows_ * dots_down);
    // the end of an axis belongs to its last dot
    if (!(px >= 0 && px <= width && py >= 0 && py <= height)) return;
    const auto x = static_cast<std::size_t>(std::min(px, width - 1));
    const auto y = static_cast<std::size_t>(std::min(py, height - 1));
    const std::size_t cell = y / dots_down * columns_ + x / dots_across;
    bits_[cell] |= dot_bits[x % dots_across][y % dots_down];
    series_[cell] = series;
}

void DotGrid::line(double x0, double y0, double x1, double y1, int series) {
    const double length = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
    const int steps = std::max(1, static_cast<int>(std::ceil(length)));
    for (int k = 0; k <= steps; ++k) {
        const double share = static_cast<double>(k) / steps;
        dot(x0 + share * (x1 - x0), y0 + share * (y1 - y0), series);
    }
}

void DotGrid::draw(const DrawnSeries& drawn, int series, bool dots_are_seen) {
    for (const Run& run : drawn.runs)
        for (std::size_t k = 0; k < run.size(); ++k) {
            const Column &at = run[k], &before = run[k == 0 ? 0 : k - 1];
            if (at.low != at.high) line(at.x, at.low, at.x, at.high, series);
            if (drawn.series->mark != Mark::band)
                line(before.x, before.mean, at.x, at.mean, series);
        }
    const int size = dots_are_seen && drawn.series->points() <= few_dots ? 2 : 1;
    for (const Dot& each : drawn.dots)
        for (int k = 0; k < size * size; ++k) dot(each.px + k / size, each.py + k % size, series);
}

std::string DotGrid::braille_at(std::size_t row, std::size_t column) const {
    const unsigned bits = bits_[row * columns_ + column];  // U+2800 + bits
    return {static_cast<char>(0xe2), static_cast<char>(0xa0u | bits >> 6),
            static_cast<char>(0x80u | (bits & 0x3fu))};
}

}  // namespace rope::plots
