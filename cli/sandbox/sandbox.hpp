// --sandbox: a process that opens its inputs and outputs and no other file.
#pragma once

#include "cli/shell/commands.hpp"

namespace rope::cli {

// From here to the end of the process, before it opens an input or starts a thread. Throws
// InputError where --sandbox is on for a command that does what a sandbox forbids, IoError where
// the system has none.
void enter_sandbox(const Command& command, const Arguments& arguments, Process process);

}  // namespace rope::cli
