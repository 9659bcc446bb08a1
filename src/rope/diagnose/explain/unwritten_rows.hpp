// Rows that were never written among others that are right.
#pragma once

#include <optional>

#include "rope/diagnose/explain/explain.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

// Where at least half of the rows are as `asked`, and each other is zero or memory: a page of a
// cache, a block that a kernel left out. What is not finite is lost_values()'. `before` is the
// misfit of all.
std::optional<Explanation> unwritten_rows(const DumpPart& part, RowReplay& asked, double before);

}  // namespace rope
