// Whether the errors of rotated vectors can be independent roundings.
#pragma once

#include <optional>

#include "rope/checks/check.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// Tests the errors e = y − w of a dump's vectors y from the exact rotation w of its config: their
// mean along w (a scale), across w (an angle) and across w in proportion to θ (an offset of the
// position), over each row, each pair and all values. A mean may be 6 standard deviations of
// independent roundings, plus what rows may share: half a unit of a table in the vectors' format,
// and the error of two float32 angles at the farthest position. False if a mean is larger or not
// finite: a scale of 1.003 in bfloat16 stays within two roundings at each value, but not in the
// mean. O(rows · pairs).
bool are_independent_roundings(const Spec& spec, const RotatedDump& vectors);

// float32 vectors that were rotated to m + s and back by s: both angles are rounded in proportion
// to |s|, which the file does not have.
struct MovedKeys {
    double move;       // the least |s| whose roundings explain every value
    WorstCase errors;  // |y − R(m)x| over ρ·(2·rotation_rounding + ((K + 1)·|m| + 2|s|)·2^-24·θ)
};

// None where a value is beyond |s| = 8192, angles that are exact (θ = 1) are off, the errors of a
// pair's angle grow in proportion to m, as those of a wrong frequency do, or a few values alone are
// off. O(rows · pairs).
std::optional<MovedKeys> find_moved_keys(const Spec& spec, const RotatedDump& vectors);

}  // namespace rope
