// How large a subject's errors are, over position and pair.
#pragma once

#include <span>

#include "plots/parts/figure.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::plots {

// A panel for each: |ẑ − a·z|, the larger of cos and sin, greatest in each cell; a line at the
// first position beyond 1e-3 and at the first beyond its allowance, a ring at the worst cell, all
// as the report's table-accuracy has them.
Figure precision_figure(std::span<const MappedReport> reports);

}  // namespace rope::plots
