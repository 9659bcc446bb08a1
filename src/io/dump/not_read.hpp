// The arrays of a dump that no subject was made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/subject/dump.hpp"

namespace rope::io {

// {"not_read", "x, y, offset", …}, six of them by name; nothing where there are none. Where there
// are more than a dump has, as in a checkpoint, those that rotary tensors are usually called.
std::optional<Assumption> not_read(std::vector<std::string> names);

}  // namespace rope::io
