// Which axis turns each slow pair of a dump in 16 bits: its rows, each alone, leave that open.
#pragma once

#include "rope/evidence/fit_axes.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// Adds how far off each slow pair's rate is on each axis (checks/turn_rate.hpp), as a share of
// what rounding allows: infinite beyond. `spec` is of the pairs' frequencies and lanes.
void add_slow_misfits(AxisMisfits& misfits, const Spec& spec, const Dump& dump);

}  // namespace rope
