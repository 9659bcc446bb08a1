// Tasks of one source on several ranks.
#pragma once

#include "base/task_source.hpp"

namespace rope {

// perform_all() of each rank: rank 0 gives out the tasks and performs some, too.
void perform_over(Ranks& ranks, TaskSource& source, TaskLog* log);

// Of rank 0, which will not call that again: ends those of the other ranks that wait for it.
void abandon(Ranks& ranks);

// Of another, which will not call that: answers each task that it failed, until rank 0 ends.
void decline(Ranks& ranks);

}  // namespace rope
