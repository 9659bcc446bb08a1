// The command line parser. The only user of CLI11, whose messages and exit codes are not exposed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// Parses words into Arguments; values remain text. Throws InputError with the word, and the nearest
// known one, for an unknown option, a missing value, a value for a switch, or a repeated option.
// For a command that takes a program, the words after -- are kept as they are.
Arguments parse(const Command& command, std::span<const std::string> words);

// --color and --sandbox, the options of every command.
extern const Option color_option;
extern const Option sandbox_option;

// Returns the options of a command with a config: --config, the config flags that io declares, and
// --rope.
std::vector<Option> spec_options(const Command& command);

// Returns the option that is probably meant: the nearest name, or the option that other tools call
// so (--theta is --base).
std::string_view meant_option(std::string_view word, std::span<const std::string_view> known);

// Returns all options of a command: its options, --help and these, in this order.
std::vector<Option> options_of(const Command& command);

}  // namespace rope::cli
