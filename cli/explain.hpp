// rope-check explain: what a config asks for, and how that was read from it.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command explain_command;

}  // namespace rope::cli
