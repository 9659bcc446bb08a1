// The processes that are this one's children, by birth or because their parents ended.
#pragma once

#include <sys/types.h>

#include <vector>

namespace rope::io {

// From now on, processes whose parent ended become this one's children. Linux alone can.
void adopt_orphans();

// Empty where the system does not say (/proc).
std::vector<pid_t> children_of_this_process();

// Kills and reaps all children but `others`, and what they leave behind, for a second at most.
void end_children_but(const std::vector<pid_t>& others);

}  // namespace rope::io
