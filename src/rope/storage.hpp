// What storing and rotating cost, whoever did it.
#pragma once

#include <vector>

#include "rope/format.hpp"
#include "rope/frequency.hpp"

namespace rope {

// Error of one stored cos or sin of somebody's table, for a table of this amplitude: half a
// spacing of the format, and 2 ulp of a float32 library; an attention factor is itself rounded,
// and its product.
double table_rounding(Format format, double amplitude);

// Error of one lane of a rotated pair, relative to the pair's norm before.
//   y = c·x1 − s·x2 with c, s, both products and the sum rounded, and the other lane alike:
//   |error| ≤ (2√2 + 1)u·a|x| per pair
double rotation_rounding(Format format, double amplitude);

// K of each pair of an implementation of unknown make: 256, and more at the widest heads and the
// steepest ramps, where the iterative and exp classes go beyond.
std::vector<double> unknown_make_k(const Spec& spec, const FrequencyPlan& plan);

}  // namespace rope
