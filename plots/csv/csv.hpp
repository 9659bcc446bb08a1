// The numbers of a figure, so that anyone can redraw it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// RFC 4180 with a header row. The first column is x (the first panel's axis label; all panels of
// a figure share the quantity on x), then a column per series, guides left out; a series has an
// empty cell where it has no finite value. Every number is in full, the shortest text that reads
// back to the same double. No cell of text starts a formula in a spreadsheet.
// Heatmaps are listed as heatmap_csv.hpp says.
std::string to_csv(const Figure& figure);
// The same, a part at a time.
void write_csv(const Figure& figure, const std::function<void(std::string_view)>& write);

}  // namespace rope::plots
