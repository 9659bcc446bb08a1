// Distribution of one source's tasks to several ranks.
#pragma once

#include "base/task_source.hpp"

namespace rope {

// Implements perform_all() on each rank. Rank 0 gives out the tasks and performs some of them.
void perform_over(Ranks& ranks, TaskSource& source, TaskLog* log);

// Runs on rank 0 after its last perform_over(): makes the waiting ranks stop.
void abandon(Ranks& ranks);

// Runs on another rank that failed: refuses each task that rank 0 sends, until rank 0 ends.
void decline(Ranks& ranks);

}  // namespace rope
