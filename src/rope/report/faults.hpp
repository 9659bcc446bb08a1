// Which findings of a report are faults, and whether they are far beyond rounding.
#pragma once

#include "rope/report/report.hpp"

namespace rope {

// Whether a law or a conformance is violated by more than rounding: max-error is a bound of the
// user's on that.
bool is_fault(const Finding& finding);

// Whether there are faults, and each is within a few times its allowance: two rotations in a row
// round as much.
bool is_beyond_by_little(const Report& report);

}  // namespace rope
