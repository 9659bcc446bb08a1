// A figure as plain data: what is drawn, in data coordinates. svg.hpp draws it, csv.hpp lists it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plots/parts/series.hpp"

namespace rope::plots {

// Numbers over a grid of cells, as colours.
struct Heatmap {
    std::vector<double> edges = {};           // column k is edges[k] ≤ x < edges[k + 1]
    std::vector<std::uint32_t> columns = {};  // shown by each of equal parts of the x axis
    std::vector<std::string> rows = {};       // their names, from the bottom up
    std::vector<float> values = {};  // rows × columns, from the bottom up; below 0: no cell
    double low = 1e-8, high = 1;     // the ends of the colours, which are of log₁₀
    std::string label = {};          // above the scale of colours

    float at(std::size_t row, std::size_t column) const {
        return values[row * (edges.size() - 1) + column];
    }
};

enum class Scale { linear, log2 };

// A labelled place on an axis.
struct Tick {
    double value;
    std::string label;
};

struct Axis {
    std::string label;
    Scale scale = Scale::linear;
    double first = 0;  // the values at the two ends; both positive if log2
    double last = 1;
    std::vector<Tick> ticks;
    // Names for the values beyond each end, which are drawn there.
    std::string above = "not finite", below = "0";
};

// A dashed vertical line: a bound on x, such as max_position_embeddings.
struct Rule {
    double x;
    std::string label;
};

struct Level {  // a dashed horizontal line: a bound on y
    double y;
    std::string label;
    bool in_legend = false;  // where curves leave no room for the label along the line
};

// A tinted stretch of x. Its label is left out where it would not fit.
struct Zone {
    double first, last;
    std::string label;
    int tint;  // 0 is none
};

// A ringed point with a short tag: a witness.
struct Marker {
    double x, y;
    std::string tag;
    std::string of = {};  // the series, where tags are listed below several curves
};

struct Panel {
    std::string title = {};
    std::string subtitle = {};
    Axis x = {};
    Axis y = {};
    std::vector<Series> series = {};
    std::vector<Rule> rules = {};
    std::vector<Level> levels = {};
    std::vector<Zone> zones = {};
    std::vector<Marker> markers = {};
    std::optional<Heatmap> heatmap = {};  // beneath all of these
};

struct Figure {
    std::string title;
    std::string subtitle;
    std::string description;         // a sentence or two for readers who cannot see the picture
    std::vector<std::string> notes;  // lines below the panels: how to read them
    int columns = 1;                 // panels fill rows of this many, in order
    std::vector<Panel> panels;

    std::string version;                                          // of the tool that drew it
    std::string command;                                          // that draws it again
    std::vector<std::pair<std::string, std::string>> parameters;  // name, value
};

inline bool has_heatmap(const Figure& figure) {
    return std::ranges::any_of(figure.panels,
                               [](const Panel& panel) { return panel.heatmap.has_value(); });
}

}  // namespace rope::plots
