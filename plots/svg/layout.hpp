// The layout of a figure: its heading, its panels, pixel coordinates, and the drawn form of series.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "plots/parts/figure.hpp"
#include "plots/parts/series.hpp"
#include "plots/parts/text.hpp"

namespace rope::plots {

struct LegendEntry {
    const Series* series;
    std::string label;
    double left;  // left end of its swatch
    std::size_t row;
};

// The name of a rule above the plot, next to the end of the rule's line, or of a zone, above its
// middle. Pixels from the plot's top left.
struct Flag {
    std::string label = {};             // empty if the rule has no name, or is outside the plot
    double x = 0, left = 0, width = 0;  // of the line, and of the name
    std::size_t row = 0;                // from the plot upward
    bool has_line = true;

    double baseline() const { return -4 - flag_height * static_cast<double>(row); }
    // The upper end of the line: at the name, or below a name that is over the line.
    double top() const {
        const bool is_over = left <= x && x <= left + width;
        return label.empty() ? 0 : is_over ? baseline() + 3 : baseline() - 9;
    }
    static constexpr double flag_height = 15;
};

struct Head {
    std::vector<std::string> title, subtitle;  // lines of text
    std::vector<LegendEntry> legend;           // empty for fewer than two series
    std::vector<Flag> flags;                   // one per rule of the panel, then one per zone
};

// Returns the head wrapped to this width. The panel must outlive it.
Head head_of(const Panel& panel, double width);

// Draws it downward from y = top.
std::string draw_head(const Head& head, double top);

// The plot area of a panel inside its axes, pixels.
struct Box {
    double left, top, width, height;
    double head;    // height of title, subtitle and legend above it
    double y_axis;  // width of the y axis left of it
};

struct Layout {
    double width = 0;
    double height = 0;
    double left = 0;  // left end of the figure's text
    std::vector<std::string> title, subtitle, notes;
    double notes_top = 0;    // baseline of the first note
    std::vector<Box> boxes;  // one per panel
};
Layout lay_out(const Figure& figure);

inline constexpr Font figure_title_font{19, Weight::bold}, figure_subtitle_font{13}, note_font{12};
inline constexpr double figure_title_height = 25, figure_subtitle_height = 19, note_height = 19;
inline constexpr double margin = 24;      // around the figure
inline constexpr double scale_room = 76;  // width of the colour scale right of a heatmap
inline constexpr Font tick_font{12}, axis_font{13};

// The pixels of a plot area. The panel must outlive it.
class Frame {
  public:
    Frame(const Panel& panel, const Box& box)
        : width(box.width), height(box.height), x_(panel.x), y_(panel.y) {}

    double x(double value) const { return bounded(x_.share_of(value) * width); }
    double y(double value) const { return bounded((1 - y_.share_of(value)) * height); }
    // The part of an interval of x inside the frame: its left end and its width in pixels.
    std::pair<double, double> clipped(double first, double last) const {
        const double left = std::clamp(x(first), 0.0, width);
        return {left, std::clamp(x(last), 0.0, width) - left};
    }
    // False for NaN.
    bool holds(double px, double py) const {
        const auto within = [](double p, double length) {
            return p >= -slack && p <= length + slack;
        };
        return within(px, width) && within(py, height);
    }

    const double width, height;

  private:
    static constexpr double slack = 1e-6;  // an end computed from the data is inside
    // clamps far values, so that they cannot overflow; ±∞ and NaN are unchanged
    static double bounded(double p) { return std::isfinite(p) ? std::clamp(p, -1e4, 1e4) : p; }
    const Axis &x_, &y_;
};

struct Dot {
    double x, y;    // data coordinates
    double px, py;  // pixels in the plot area
};

// A value outside the y axis, infinite, or ≤ 0 on a logarithmic axis: an arrow at that end.
struct Edge {
    double px;
    bool is_above;
};
inline constexpr double arrow = 8, arrow_step = 10;  // size of an arrow, and distance of two rows

inline constexpr std::size_t few_dots = 256;  // up to this many, all are drawn, large

struct DrawnSeries {
    const Series* series;
    std::vector<Run> runs = {};    // columns of a line or band; points of a path or guide
    std::vector<Dot> dots = {};    // inside the frame; of many, those a pixel from the last one
    std::vector<Edge> edges = {};  // of more than few_dots points, at least arrow_step apart
};

// "hf-fp32: not finite": the axis' name for values beyond it.
std::string edge_words(const Panel& panel, const Series& series, bool is_above);

// Reads the series once. It must outlive the result.
DrawnSeries drawn_one(const Series& series, const Frame& frame);

// Reads every series of the panel once. The panel must outlive the result.
std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame);

}  // namespace rope::plots
