// Labels and rings in a plot area: names of rules, levels, zones and markers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plots/svg/drawn_series.hpp"
#include "plots/svg/labels.hpp"

namespace rope::plots {

// The arrows of one series at one edge.
struct Arrows {
    const Series* series;
    bool are_above;
    double tip, end;         // pixel y
    std::vector<double> px;  // of each arrow
};

struct Annotations {
    std::vector<Marker> markers;  // those in the frame, in pixels
    std::vector<Arrows> arrows;
    std::vector<PlacedLabel> labels;
    std::vector<double> tops;  // pixel y of the upper end of each rule: 0, or below a label
};

// Returns the annotations, whose labels neither curves nor dashed lines cross where there is room.
Annotations annotate(const Panel& panel, const Frame& frame, std::span<const DrawnSeries> drawn);

std::string draw_annotations(const Panel& panel, const Annotations& all);

}  // namespace rope::plots
