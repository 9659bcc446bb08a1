// What a panel draws: points, kept or computed anew in every reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rope::plots {

// How a series is drawn. A value that is not finite breaks a line and is no dot.
//   line   where several points share a pixel column: their min…max as a band, and their mean
//   band   only the min…max
//   path   every point, joined, however many share a column
//   dots   one per point
//   guide  a faint path that helps the eye: neither in the legend nor in the CSV
enum class Mark { line, band, path, dots, guide };

// The points at x = 1, 2, … last, where there may be too many to keep.
struct Curve {
    std::uint64_t last = 0;
    // y at x = first, first + 1, …: a block, of which 64 divides first and size. It is read from
    // x = 0 on, which is not drawn, and up to 63 beyond last.
    std::function<void(std::uint64_t first, std::span<double> y)> fill;
};

inline constexpr int palette_colors = 6;

struct Series {
    std::string label;  // in the legend and the CSV's header
    Mark mark = Mark::line;
    int color = 0;                    // an index into the palette: beyond its end, other dashes
    std::vector<double> x = {};       // ascending
    std::vector<double> y = {};       // as many
    std::optional<Curve> curve = {};  // instead of x and y

    std::size_t points() const { return curve ? curve->last : x.size(); }
};

}  // namespace rope::plots
