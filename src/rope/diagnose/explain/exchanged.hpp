// Batch entries at each other's positions.
#pragma once

#include <optional>
#include <vector>

#include "rope/changes/reading.hpp"

namespace rope {

// Where all that is wrong is that these groups, each entry with all of its heads, are at the
// positions of other entries among them, each at a different one's.
std::optional<Explanation> explain_exchanged(const DumpReading& asked, const DumpPart& part,
                                             const std::vector<std::size_t>& wrong);

}  // namespace rope
