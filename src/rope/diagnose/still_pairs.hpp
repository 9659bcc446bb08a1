// Pairs that do not turn at all, where their angles are so small that an allowance for each value,
// half a spacing of 1 in 16 bits, hides it.
#pragma once

#include "rope/report/report.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// Where nothing is violated: makes table-accuracy so, and names it, if all that a dump in 16 bits
// has of a pair is exactly what no rotation gives, and its format shows the Spec's. Of a table,
// every sine is 0 and one should be a normal number; of vectors, every lane is unchanged and one
// should have changed by more than two spacings.
void find_still_pairs(Report& report, const Dump& dump);

}  // namespace rope
