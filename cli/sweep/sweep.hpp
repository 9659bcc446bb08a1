// verify with several configs, pipelines or contexts: one table.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

bool checks_several(const Arguments& arguments);

// Text, JSON, Markdown or CSV; a JSON file is saved after each row, and the same command resumes
// from it.
std::vector<Target> sweep_targets(const Arguments& arguments);

// Returns 1 where a row failed. Throws InputError on options that ask about one config.
int run_sweep(const Arguments& arguments);

}  // namespace rope::cli
