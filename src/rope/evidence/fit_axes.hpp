// Which position axis turns each pair, from the dump alone.
#pragma once

#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/spec/axis.hpp"

namespace rope {

// Over rows of different positions on each axis; no lines where it has not two.
std::vector<LinesOfRows> fit_lines_on_each_axis(const Samples& samples);
// Each pair's on the axis that it follows best; empty where no axis has lines.
std::vector<PhaseLine> best_lines(const std::vector<LinesOfRows>& of_axes);
// The best lines of the samples.
std::vector<PhaseLine> fit_lines_by_axis(const Samples& samples);

// Each pair's line on its own of several axes. Those of an axis are left out where it has one
// position, or where one of its pairs does not rotate at a constant rate; empty where no axis is
// left.
struct LinesOnAxes {
    std::vector<PhaseLine> lines;
    bool is_constant = true;  // the rate of every pair
};
LinesOnAxes fit_lines_on_axes(const Samples& samples, const std::vector<std::uint32_t>& axis,
                              Orientation turn);

// How far off each pair is on each axis; infinite where it cannot follow it.
using AxisMisfits = std::vector<std::vector<double>>;

// By its farthest value, as a share of what is allowed.
AxisMisfits misfits_on_axes(const Samples& samples, const Hypothesis& hypothesis);

// What the pairs add up to by a map of as many of them.
double misfit_by(const AxisMap& map, const AxisMisfits& misfits);

// Of three axes the sectioned map and the interleaved one that add up to the least, of four also
// those that use all four; where several do, the one with the last sections as long as can be. None
// of a sum that is not finite.
std::vector<AxisMap> maps_of_least_misfit(const AxisMisfits& misfits);

}  // namespace rope
