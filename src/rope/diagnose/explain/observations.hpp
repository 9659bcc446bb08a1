// What is known of a dump that nothing explains.
#pragma once

#include <string>
#include <vector>

#include "rope/changes/reading.hpp"

namespace rope {

// A plain sentence each, six at most.
std::vector<std::string> observations(const DumpReading& reading);
// The same of a part, over all its rows; `wrong_pairs` are known to be.
std::vector<std::string> observations(const DumpReading& reading, const DumpPart& part,
                                      const std::vector<std::uint32_t>& wrong_pairs);

}  // namespace rope
