// rope-check models: the built-in models, which --model takes by name.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command models_command;

}  // namespace rope::cli
