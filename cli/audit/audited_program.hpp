// The program that an audit runs, and its answers to the conformance suite.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/audit/request.hpp"
#include "rope/suite/audit.hpp"

namespace rope::cli {

// Returns the options --python, --torch, --axes, --timeout and --keep.
std::vector<Option> program_options();

// Returns the name of the program in reports: the words after --, or the function of --python.
std::string program_name(const Arguments& arguments);

// Returns the axes of the array that a function of --python receives: bhsd, unless --axes names
// others.
std::string called_axes(const Arguments& arguments);

// Returns whether a program is given: words after --, or --python. Throws InputError if both are,
// or for options of --python without it.
bool names_program(const Arguments& arguments);

// Calls `write` with a new folder, runs the program with that folder as its last argument and in
// ROPE_CHECK_DIR, then calls `read` with it. Removes the folder, even if a signal ends this
// process, unless --keep names it. Throws InputError if the program fails or exceeds --timeout, or
// IoError.
using FolderUse = std::function<void(const std::filesystem::path& folder)>;
void run_in_folder(std::vector<std::string> words, const std::string& name,
                   const Arguments& arguments, const FolderUse& write, const FolderUse& read);

// What a program or a function returned, under the name of its argument if that is q or k.
struct NamedAnswers {
    std::string name;
    Answers answers;
};

// Writes the request, runs the program and reads its answers: two of a function of q and k. Throws
// as run_in_folder does.
std::vector<NamedAnswers> ask(const io::Request& request, const Arguments& arguments);

// Returns the arithmetics and how a program answers the suite, for --help.
std::string suite_words();

// Runs audit --suite. Returns 1 if an answer is wrong, or missing with --strict. Throws InputError
// for options of a single config.
int run_suite(const Arguments& arguments);

}  // namespace rope::cli
