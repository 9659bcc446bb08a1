// audit --suite: a program answers the conformance suite that export --suite wrote.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// The arithmetics and how a program answers, for --help.
std::string suite_words();

std::vector<Target> suite_targets(const Arguments& arguments);

// Returns 1 where an answer is wrong, or missing with --strict. Throws InputError on options that
// ask about one config.
int run_suite(const Arguments& arguments);

}  // namespace rope::cli
