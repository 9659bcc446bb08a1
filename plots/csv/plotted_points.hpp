// A figure of what it shows: of a million points, those of a few hundred pixel columns.
#pragma once

#include "plots/parts/figure.hpp"

namespace rope::plots {

// The figure with its series as they are drawn (svg.hpp), in data coordinates. A line or band
// whose points share pixel columns becomes its mean (of a line), least and greatest in each, at the
// middle of the column's points; of dots, those that are drawn are left. Guides are left out.
Figure plotted_points(const Figure& figure);

}  // namespace rope::plots
