// Where the panels of a figure go, in pixels. No font is measured: text is anchored, and only
// where a legend wraps is guessed from its length.
#pragma once

#include <vector>

#include "plots/svg/figure.hpp"

namespace rope::plots {

// A panel's plot area, inside its axes.
struct Box {
    double left, top, width, height;
    double head;  // room above it for title, subtitle and legend
};

struct Layout {
    double width = 0;
    double height = 0;
    double left = 0;         // where the figure's own text starts
    double notes = 0;        // the first note's baseline
    std::vector<Box> boxes;  // of figure.panels, in order
};
Layout lay_out(const Figure& figure);

using LegendRow = std::vector<const Series*>;
// The panel's legend, wrapped to the width. Empty unless there are two series to distinguish.
std::vector<LegendRow> legend_rows(const Panel& panel, double width);

inline constexpr double title_height = 20;
inline constexpr double subtitle_height = 17;
inline constexpr double legend_height = 18;
inline constexpr double note_height = 19;

}  // namespace rope::plots
