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
// Of heatmaps: a line for each column of each panel (csv.cpp). It is written a part at a time.
void write_csv(const Figure& figure, const std::function<void(std::string_view)>& write);

// The figure with its series as they are drawn (svg.hpp), in data coordinates. A line or band
// whose points share pixel columns becomes its mean (of a line), least and greatest in each, at the
// middle of the column's points; of dots, those that are drawn are left. Guides are left out.
Figure plotted_points(const Figure& figure);

}  // namespace rope::plots
