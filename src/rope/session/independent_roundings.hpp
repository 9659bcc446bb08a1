// Tests whether the errors of rotated vectors can be independent roundings.
#pragma once

#include <optional>

#include "rope/checks/check.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// Returns whether the errors e = y − w of a dump's vectors y from the exact rotation w of its
// config can be independent roundings. Tests the mean of e along w (a scale), across w (an angle)
// and across w weighted with θ (an offset of the position), over each row, each pair and all
// values. A mean may be 6 standard deviations, plus errors that rows share: half a unit of a table
// in the vectors' format, and the error of two float32 angles at the farthest position. Returns
// false if a mean is larger or not finite: a scale of 1.003 in bfloat16 is within two roundings for
// each value, but not in the mean. O(rows · pairs).
bool are_independent_roundings(const Spec& spec, const RotatedDump& vectors);

// Float32 vectors that were rotated to m + s and back by s: both angles have rounding errors
// proportional to |s|, which is not in the file.
struct MovedKeys {
    double move;       // least |s| whose roundings explain every value
    WorstCase errors;  // |y − R(m)x| over ρ·(2·rotation_rounding + ((K + 1)·|m| + 2|s|)·2^-24·θ)
};

// Returns nothing if a value needs |s| > 8192, exact angles (θ = 1) have errors, the error of a
// pair's angle grows in proportion to m, as with a wrong frequency, or only a few values have
// errors. O(rows · pairs).
std::optional<MovedKeys> find_moved_keys(const Spec& spec, const RotatedDump& vectors);

}  // namespace rope
