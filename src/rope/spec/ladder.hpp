// Ladders of frequencies: θ = base^(−2i/width) for i = 0, 1, …, one for all pairs or one an axis.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/spec/axis.hpp"

namespace rope {

// The width of each, one after the other. Requires a map that fits as many pairs.
std::vector<std::uint32_t> ladder_widths(const AxisMap& axes, std::uint32_t pairs);

// Whether pair j is step j of one ladder, whatever axis turns it.
bool is_one_ladder(const AxisMap& axes);

}  // namespace rope
