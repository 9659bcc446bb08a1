// Labels and rings in a plot area: names of rules, levels, zones and markers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plots/svg/drawn_series.hpp"
#include "plots/svg/labels.hpp"

namespace rope::plots {

std::vector<PlacedLabel> place_labels(const Panel& panel, const Frame& frame,
                                      std::span<const DrawnSeries> drawn);

std::string draw_annotations(const Panel& panel, const Frame& frame,
                             std::span<const DrawnSeries> drawn);

}  // namespace rope::plots
