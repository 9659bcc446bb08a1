// A million points in a few hundred pixel columns, without losing an extreme.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rope::plots {

// What one pixel column shows of a series.
struct Column {
    double x;  // mean pixel of its points: the point's own where there is one
    double low;
    double mean;
    double high;
    std::size_t first, last;  // the indices of its points
};

// Neighbouring columns that a line joins.
using Run = std::vector<Column>;

// Points in pixels, grouped by ⌊x⌋; those outside 0 ≤ x ≤ width are left out. x ascends.
// Every y lies in its column's [low, high], both of which some point of it attains.
// A y that is not finite ends the run.
std::vector<Run> reduce_to_columns(std::span<const double> x, std::span<const double> y,
                                   double width);

}  // namespace rope::plots
