// The cells of a figure's heatmaps.
#pragma once

#include <functional>
#include <string_view>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// A line for each column of each panel: the panel's title where there are several, where its
// positions begin and end, and a cell for each of its rows, empty where there is no number.
void write_heatmaps(const Figure& figure, const std::function<void(std::string_view)>& write);

}  // namespace rope::plots
