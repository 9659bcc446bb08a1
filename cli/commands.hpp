// The table of commands, and the way to one.
#pragma once

#include <span>
#include <string>

#include "cli/command.hpp"

namespace rope::cli {

std::span<const Command> commands();

// Runs what the words after the program's name ask for; returns the exit code.
int run(std::span<const std::string> words);

}  // namespace rope::cli
