// Pairs of which one lane alone is as the Spec asks.
#pragma once

#include <string>
#include <vector>

#include "rope/changes/reading.hpp"

namespace rope {

// A sentence where that is the same lane of every pair; of one axis. Requires the Spec's reading.
std::vector<std::string> lane_observations(const DumpReading& reading, const DumpPart& part);

}  // namespace rope
