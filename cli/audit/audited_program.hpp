// The program that an audit asks, and its answers of the conformance suite.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/audit/request.hpp"
#include "rope/suite/audit.hpp"

namespace rope::cli {

// The program that an audit asks.

// --python, --torch, --axes, --timeout and --keep.
std::vector<Option> program_options();

// What reports call it: the words after --, or the function that --python names.
std::string program_name(const Arguments& arguments);

// The axes of what a function of --python gets.
std::string called_axes(const Arguments& arguments);

// Whether there is one: words after --, or --python. Throws InputError where there are both, or
// options of --python without it.
bool names_program(const Arguments& arguments);

// Lets `write` fill a new folder, runs the program with that as its last argument and in
// ROPE_CHECK_DIR, and lets `read` have what it answered there. The folder is removed, even when a
// signal ends this process, unless --keep names it. Throws InputError where the program fails or
// is still running after --timeout, or IoError.
using FolderUse = std::function<void(const std::filesystem::path& folder)>;
void run_in_folder(std::vector<std::string> words, const std::string& name,
                   const Arguments& arguments, const FolderUse& write, const FolderUse& read);

// Writes the request, runs the program and reads its answers. Throws as run_in_folder does.
Answers ask(const io::Request& request, const Arguments& arguments);

// audit --suite: a program answers the conformance suite that export --suite wrote.

// The arithmetics and how a program answers, for --help.
std::string suite_words();

// Returns 1 where an answer is wrong, or missing with --strict. Throws InputError on options that
// ask about one config.
int run_suite(const Arguments& arguments);

}  // namespace rope::cli
