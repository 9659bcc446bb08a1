// Which position axis turns each pair, from the dump alone.
#pragma once

#include <optional>
#include <vector>

#include "rope/diagnose/evidence/hypothesis.hpp"
#include "rope/diagnose/evidence/phase_lines.hpp"

namespace rope {

// Each pair's line on the axis that it follows best, over rows of different positions there.
// Empty where no axis has two.
std::vector<PhaseLine> fit_lines_by_axis(const Samples& samples);

// Each pair's line on its own of several axes; a pair whose axis has one position is left out.
// Empty where a pair does not rotate at a constant rate.
std::vector<PhaseLine> fit_lines_on_axes(const Samples& samples,
                                         const std::vector<std::uint32_t>& axis, Orientation turn);

// The map of axes (sectioned, interleaved, interleaved4) that leaves every value within its
// allowance; where several do, since slow pairs hardly tell, the one with the last sections as long
// as can be.
std::optional<AxisMap> fit_axes(const Samples& samples, const Hypothesis& hypothesis);

// How far off each pair is on each axis.
using AxisMisfits = std::vector<std::vector<double>>;

// Of three axes the sectioned map and the interleaved one that add up to the least; none of a sum
// that is not finite.
std::vector<AxisMap> maps_of_least_misfit(const AxisMisfits& misfits);

}  // namespace rope
