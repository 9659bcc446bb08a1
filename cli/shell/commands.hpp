// The table of commands, and the way to one.
#pragma once

#include <span>
#include <string>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// Each is defined in the file of its name.
extern const Command verify_command;
extern const Command compare_command;
extern const Command audit_command;
extern const Command baseline_command;
extern const Command explain_command;
extern const Command diff_command;
extern const Command export_command;
extern const Command base_bound_command;
extern const Command claims_command;
extern const Command plot_decay_command;
extern const Command plot_angles_command;
extern const Command plot_scores_command;
extern const Command list_command;

std::span<const Command> commands();

// Whether a process runs one command and nothing else, so that it may be kept from other files.
enum class Process { shared, own };

// Runs what the words after the program's name ask for; returns the exit code.
int run(std::span<const std::string> words, Process process = Process::shared);

}  // namespace rope::cli
