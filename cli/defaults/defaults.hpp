// What a command line leaves open, from the environment and the project's rope-check.toml:
// flag > ROPE_CHECK_OPTION > [command] of the file > top of the file > built in.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::cli {

// Adds them as if they were flags, and to arguments.defaults those that a result may depend on;
// returns them all. None under --no-defaults. Throws InputError for a file or a variable that
// cannot be used.
std::vector<Assumption> add_defaults(const Command& command, Arguments& arguments);

// The same error; where it is about one of the defaults, with where that came from.
InputError with_source(const InputError& error, const std::vector<Assumption>& defaults);

}  // namespace rope::cli
