// What --help and --version print.
#pragma once

#include <string>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

std::string overview();                       // every command
std::string help_of(const Command& command);  // examples first, exit codes last

}  // namespace rope::cli
