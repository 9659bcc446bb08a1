// The head or batch entry that a program treats unlike others.
#pragma once

#include <string>

#include "rope/comparison/comparison.hpp"
#include "rope/suite/audit.hpp"

namespace rope {

// "batch entry 1, head 2", whose sequence is the farthest from the rotation asked for, or "head 2"
// where those of all its batch entries are off, and no others; empty where every group is off, or
// none.
std::string odd_group(const Comparison& comparison, const Answers& answers);

}  // namespace rope
