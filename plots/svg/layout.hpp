// Where the panels of a figure go, in pixels, and the lines that its words are wrapped to.
#pragma once

#include <string>
#include <vector>

#include "plots/parts/figure.hpp"
#include "plots/svg/head.hpp"

namespace rope::plots {

// A panel's plot area, inside its axes.
struct Box {
    double left, top, width, height;
    double head;    // room above it for title, subtitle and legend
    double y_axis;  // room left of it for the y axis
};

struct Layout {
    double width = 0;
    double height = 0;
    double left = 0;  // where the figure's own text starts
    std::vector<std::string> title, subtitle, notes;
    double notes_top = 0;    // the first note's baseline
    std::vector<Box> boxes;  // of figure.panels, in order
};
Layout lay_out(const Figure& figure);

inline constexpr Font figure_title_font{19, Weight::bold}, figure_subtitle_font{13}, note_font{12};
inline constexpr double figure_title_height = 25, figure_subtitle_height = 19, note_height = 19;
inline constexpr double scale_room = 76;  // right of a heatmap, for its scale of colours
inline constexpr Font tick_font{12}, axis_font{13};

}  // namespace rope::plots
