// Tables that turn by one list of frequencies up to some position and by another from there on.
#pragma once

#include <optional>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

// As asked on one side of the switch. None where no two known lists give every row.
std::optional<Explanation> explain_switched(const DumpReading& reading);

}  // namespace rope
