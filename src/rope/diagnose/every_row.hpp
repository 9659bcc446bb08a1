// A replay held against every row of a part, and not its samples alone.
#pragma once

#include <vector>

#include "rope/diagnose/search/replay.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

// Whether rows follow from those before them, which no row alone can be held against.
bool is_stepped(const Replay& replay);

std::vector<GroupErrors> sweep_of(const Replay& replay, const DumpPart& part,
                                  const std::vector<std::size_t>& groups);

// Settles the exact row of a switch and the largest error, `replay.after`.
bool explains_all(Replay& replay, const DumpPart& part);

// The largest error of any row.
double worst_of_all(const Replay& replay, const DumpPart& part);

// The largest error of a part over its tolerance where nothing is corrected. `asked` is the first
// of its readings; infinite where that is of another width.
double error_as_asked(const DumpReading& asked, const DumpPart& part);

}  // namespace rope
