// rope-check verify: judges what a known pipeline makes of a config.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command verify_command;

}  // namespace rope::cli
