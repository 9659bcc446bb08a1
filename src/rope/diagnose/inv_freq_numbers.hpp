// Frequencies alone, as the numbers that they are: angles tell those of thousands of turns a
// position from no others, and have no positions to be wrong.
#pragma once

#include <optional>

#include "rope/changes/reading.hpp"
#include "rope/diagnose/explain/explain.hpp"

namespace rope {

// Where no pair turns at any position: a buffer that was zeroed, or never written.
std::optional<Explanation> explain_empty_frequencies(const DumpReading& reading);

// The usual mistake whose frequencies all these are, to within the float32 rounding of any
// arithmetic.
std::optional<Explanation> explain_named_frequencies(const DumpReading& reading);

}  // namespace rope
