// The sets of kernels, for tests that hold them against each other.
#pragma once

#include <vector>

#include "rope/kernels/kernels.hpp"

namespace rope {

// Those that this processor runs, the best first and baseline last.
std::vector<const Kernels*> every_kernels();

}  // namespace rope
