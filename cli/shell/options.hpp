// Words -> Arguments. The only user of CLI11: its messages and exit codes are not exposed.
#pragma once

#include <span>
#include <string>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// Every value stays text. Throws InputError, naming the word and the nearest that is known, for
// an unknown option, a missing value, a value for a switch, or an option that is given twice.
// What follows -- is the program of a command that takes one, and is left as it is.
Arguments parse(const Command& command, std::span<const std::string> words);

// --color and --sandbox, which every command takes.
extern const Option color_option;
extern const Option sandbox_option;

// What a command that takes a config has besides its own options: --config, the flags that io
// declares, and --rope.
std::vector<Option> spec_options(const Command& command);

// All that a command takes: its own, --help and these, in this order.
std::vector<Option> options_of(const Command& command);

}  // namespace rope::cli
