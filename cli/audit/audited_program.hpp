// The program that an audit asks.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/audit/request.hpp"

namespace rope::cli {

// --python, --torch, --axes, --timeout and --keep.
std::vector<Option> program_options();

// What reports call it: the words after --, or the function that --python names.
std::string program_name(const Arguments& arguments);

// Whether there is one: words after --, or --python. Throws InputError where there are both, or
// options of --python without it.
bool names_program(const Arguments& arguments);

// Writes the request, runs the program and reads its answers. The folder is removed, even when a
// signal ends this process, unless --keep names it. Throws InputError or IoError.
Answers ask(const io::Request& request, const Arguments& arguments);

}  // namespace rope::cli
