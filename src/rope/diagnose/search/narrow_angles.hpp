// Lines through angles that were rounded to 16 bits.
#pragma once

#include <vector>

#include "rope/diagnose/candidate/frequencies.hpp"

namespace rope {

// bfloat16 and float16: m, 2m, 4m, … share one error, and most sampled rows are such.
inline constexpr AnglePrecision narrow_angles[] = {{0x1p-8, 0x1p-8, 32}, {0x1p-11, 0x1p-11, 32}};

// Whether frequencies are those of most lines on which a quarter of the rows lie; half of the pairs
// that turn slowly enough to tell have one.
bool follow_most_lines(const Frequencies& one, const std::vector<PhaseLine>& lines,
                       const Samples& samples);

}  // namespace rope
