// rope-check base-bound: the bases that keep the score of equal tokens from turning negative.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command base_bound_command;

}  // namespace rope::cli
