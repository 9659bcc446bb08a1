// The documentation of the tool: help and completion.
#pragma once

#include <string>
#include <string_view>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

std::string overview();                          // all commands
std::string summary_of(const Command& command);  // -h: examples and usual options
std::string help_of(const Command& command);     // --help: examples first, exit codes last

// Returns the completion script for bash, zsh or fish. Throws InputError for another shell.
std::string_view completion_script(std::string_view shell);

// Returns what may stand in place of the last of these words, the first of which is a command: a
// row for each word, with a tab and its meaning if it has one; ":files" if it may be a file, too.
std::string completions(std::span<const std::string> words);

}  // namespace rope::cli
