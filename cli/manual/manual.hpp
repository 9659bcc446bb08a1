// The documentation of the tool: help, man pages, completion.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

std::string overview();                          // all commands
std::string summary_of(const Command& command);  // -h: examples and usual options
std::string help_of(const Command& command);     // --help: examples first, exit codes last

// A group of options in the help of a command.
struct OptionGroup {
    std::string_view title;
    std::vector<Option> options;
};
std::vector<OptionGroup> option_groups(const Command& command);
std::string names_of(const Option& option);  // "--output, -o FILE"
std::string meaning_of(const Option& option);

struct ExitCode {
    int code;
    std::string_view meaning;
};
std::span<const ExitCode> exit_codes();

// Returns the completion script for bash, zsh or fish. Throws InputError for another shell.
std::string completion_script(std::string_view shell);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// Returns the words of an option that takes no others; empty for numbers and files.
std::vector<std::string> words_for(const Option& option);

}  // namespace rope::cli
