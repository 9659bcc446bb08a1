// Lines through angles that were rounded to 16 bits.
#pragma once

#include <vector>

#include "rope/changes/frequencies.hpp"

namespace rope {

// Whether frequencies are those of most lines on which a quarter of the rows lie; half of the pairs
// that turn slowly enough to tell have one.
bool follow_most_lines(const Frequencies& one, const std::vector<PhaseLine>& lines,
                       const Samples& samples);

}  // namespace rope
