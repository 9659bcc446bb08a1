// rope-check diff: two configs, pair by pair.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command diff_command;

}  // namespace rope::cli
