// Rows and values that no rotation produces: not rotated, never written, or cut off.
#pragma once

#include <optional>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

// The error over its allowance of the Spec's own reading.
double asked_misfit(const DumpReading& reading);

// Every row is as it was, or is zero.
std::optional<Explanation> explain_stillness(const DumpReading& reading, const Dump& dump);

// Right up to some row and by no rotation after it, or not finite.
std::optional<Explanation> explain_damage(const DumpReading& reading);

}  // namespace rope
