// The options that name a dump: which tensors, and how they lie.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/dump/dump.hpp"

namespace rope::cli {

// In the order of --help.
std::vector<Option> dump_options();

// What they name. Throws InputError where --raw and --shape do not go together.
io::DumpFiles dump_files(const Arguments& arguments);

// As typed, so that a report can say how to run it again.
std::vector<std::string> dump_words(const Arguments& arguments);

}  // namespace rope::cli
