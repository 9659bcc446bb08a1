// The numbers of a figure as CSV.
#pragma once

#include <functional>
#include <string_view>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// Writes RFC 4180 with a header, in parts. The first column is x, with the first panel's axis
// label; then a column per series, and another x if the axis has another label. A row of cells
// is a series over the first position of each column. A value that is not finite is "nan", or "inf"
// if the axis gives the upper edge another meaning; a gap is empty. Numbers are the shortest text
// that parses to the same double. No text cell starts a formula in a spreadsheet.
void write_csv(const Figure& figure, const std::function<void(std::string_view)>& write);

// Returns the figure with the points that svg.hpp draws, in data coordinates. If points of a line
// or band share pixel columns, the mean (of a line), least and largest of each column, at the
// middle of its points; of dots, those drawn. Without unnamed guides.
Figure plotted_points(const Figure& figure);

}  // namespace rope::plots
