// The axes that most pairs of a dump follow in most rows, where a part of it is wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/identity/most_lines.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// Of each pair on the axis that it follows best, by these rows. No lines where they have no two
// positions on any.
MostLines lines_of_most_by_axis(const Samples& samples, const std::vector<std::size_t>& rows);

struct MostAxes {
    AxisMap axes;
    std::vector<std::size_t> rows;  // in which nearly all pairs follow them
};

// Time, height and width, sectioned, interleaved or as a known Spec has them: each axis may be
// off by any constant, and their order may be another. `theta` of each pair, its sign by the lines.
// None where pairs follow axes in another way, or no pair of some axis tells it from the others.
std::optional<MostAxes> axes_of_most(const Samples& samples, const std::vector<double>& theta,
                                     const std::vector<PhaseLine>& lines,
                                     std::span<const Spec> known);

}  // namespace rope
