// Rows and values that no rotation produces: not rotated, never written, or cut off.
#pragma once

#include <optional>
#include <string>

#include "rope/changes/reading.hpp"

namespace rope {

// The error over its allowance of the Spec's own reading.
double asked_misfit(const DumpReading& reading);

// Why rows of such a dump may never have been written: the advice on `uninitialised`. Empty where
// the table of mistakes has it.
std::string advice_on_unwritten_rows(const Dump& dump);

// Every row is as it was, or is zero.
std::optional<Explanation> explain_stillness(const DumpReading& reading, const DumpPart& part);

// As asked up to some position, and zero or memory of something else from there on; or as asked but
// for values that are not finite.
std::optional<Explanation> explain_damage(const DumpReading& reading, const DumpPart& part);

}  // namespace rope
