// Completion of commands, options and the words that they take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// What the shell evaluates: bash, zsh or fish. Throws InputError for another.
std::string completion_script(std::string_view shell);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// The words that an option takes, where it takes no others; empty for numbers and files.
std::vector<std::string> words_for(const Option& option);

}  // namespace rope::cli
