// rope-check compare: judges somebody's tables or rotated vectors.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command compare_command;

}  // namespace rope::cli
