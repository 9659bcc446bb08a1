// Rows numbered from 0 on that were rotated as several sequences packed into one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rope/diagnose/part_search.hpp"

namespace rope {

// By the first reading, the Spec's: every row follows the one before it or is at position 0. None
// where any does not, or positions are not the rows' numbers.
std::optional<PartFinding> find_restarts(const std::shared_ptr<const std::vector<DumpReading>>& all,
                                         const DumpPart& part);

}  // namespace rope
