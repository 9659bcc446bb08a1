// Rows and values that no rotation made: never oriented, never written, cut off.
#pragma once

#include <optional>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

// The error over its allowance of the reading as asked.
double asked_misfit(const DumpReading& reading);

// Every row is as it was, or is zero.
std::optional<Explanation> explain_stillness(const DumpReading& reading, const Dump& dump);

// Right up to some row and by no rotation after it, or not finite.
std::optional<Explanation> explain_damage(const DumpReading& reading);

}  // namespace rope
