// Tables that turn by one list of frequencies up to some position and by another from there on.
#pragma once

#include <optional>

#include "rope/changes/reading.hpp"

namespace rope {

// The Spec's frequencies on one side of the switch. None if no two known lists explain every row.
std::optional<Explanation> explain_switched(const DumpReading& reading, const DumpPart& part);

}  // namespace rope
