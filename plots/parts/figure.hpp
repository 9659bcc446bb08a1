// A figure as plain data in data coordinates. svg.hpp draws it, csv.hpp lists it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plots/parts/series.hpp"

namespace rope::plots {

// A grid of cells, coloured by value.
struct Heatmap {
    std::vector<double> edges = {};           // column k is edges[k] ≤ x < edges[k + 1]
    std::vector<std::uint32_t> columns = {};  // column in each equal part of the x axis; the last
                                              // one + 1: no cell
    std::vector<std::string> rows = {};       // names, from the bottom up
    std::vector<float> values = {};  // rows × columns, from the bottom up; below 0: no cell
    double low = 1e-8, high = 1;     // ends of the logarithmic colour scale
    std::string label = {};          // above the colour scale

    // Returns the place of a value ≥ 0 on the colour scale, from 0 to 1.
    double place_of(float value) const {
        const double from = std::log10(low), to = std::log10(high);
        return std::min(1.0, (std::log10(std::max<double>(value, low)) - from) / (to - from));
    }
    float at(std::size_t row, std::size_t column) const {
        const std::size_t count = edges.size() - 1;
        return column < count ? values[row * count + column] : -1;
    }
};

enum class Scale { linear, log2 };

// A labelled place on an axis: a tick, or a dashed line across the plot.
struct Tick {
    double value;
    std::string label;
};

struct Axis {
    std::string label;
    Scale scale = Scale::linear;
    double first = 0;  // values at the two ends; both positive if log2
    double last = 1;
    std::vector<Tick> ticks;
    // Names of values beyond each end, which are drawn at that end.
    std::string above = "not finite", below = "0";

    // Returns the value at a share of the axis from 0 to 1.
    double at(double share) const {
        return scale == Scale::linear ? first + share * (last - first)
                                      : first * std::pow(last / first, share);
    }
    // Returns the share at a value. Not finite if the value is not; −∞ for values ≤ 0 on log2.
    double share_of(double value) const {
        if (scale == Scale::linear) return (value - first) / (last - first);
        return value <= 0 ? -std::numeric_limits<double>::infinity()
                          : std::log2(value / first) / std::log2(last / first);
    }
};

// A tinted interval of x. Its label is left out if it does not fit.
struct Zone {
    double first, last;
    std::string label;
    int tint;  // 0: none
};

// A ringed point with a short tag, such as a witness.
struct Marker {
    double x, y;
    std::string tag;
};

struct Panel {
    std::string title = {};
    std::string subtitle = {};
    Axis x = {};
    Axis y = {};
    std::vector<Series> series = {};
    std::vector<Tick> rules = {};   // vertical lines: bounds on x, such as max_position_embeddings
    std::vector<Tick> levels = {};  // horizontal lines: bounds on y
    std::vector<Zone> zones = {};
    std::vector<Marker> markers = {};
    std::optional<Heatmap> heatmap = {};  // below all of these
};

struct Figure {
    std::string title;
    std::string subtitle;
    std::string description;         // a sentence or two for readers who cannot see the picture
    std::vector<std::string> notes;  // lines below the panels that explain them
    int columns = 1;                 // panels per row
    std::vector<Panel> panels;

    std::string version;                                          // of the tool
    std::string command;                                          // that draws the figure again
    std::vector<std::pair<std::string, std::string>> parameters;  // name, value
};

}  // namespace rope::plots
