// What the tool says of itself: help, man pages, completion.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// What -h, --help and --version print.

std::string overview();                          // every command
std::string summary_of(const Command& command);  // -h: examples, and which options there are
std::string help_of(const Command& command);     // --help: examples first, exit codes last

// The options of a command as help groups them.
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

// Completion of commands, options and the words that they take.

// What the shell evaluates: bash, zsh or fish. Throws InputError for another.
std::string completion_script(std::string_view shell);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// The words that an option takes, where it takes no others; empty for numbers and files.
std::vector<std::string> words_for(const Option& option);

}  // namespace rope::cli
