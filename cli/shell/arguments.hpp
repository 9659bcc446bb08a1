// What a command is, and what it is given.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/output.hpp"
#include "io/draft/spec_flags.hpp"
#include "rope/report/report.hpp"

namespace rope::cli {

// What a command is: a row of the table in commands.cpp.

struct Option {
    std::string_view name = {};   // "--context"; without a dash it is a positional argument
    std::string_view alias = {};  // "-o"
    std::string_view value = {};  // the kind of value, for help; empty for a switch
    std::string_view help = {};
    bool repeats = false;
    Reads reads = Reads::nothing;
    bool writes = false;  // what it reads
    // of a positional argument: leaves configs and built-in models to --config and --model, unless
    // they are one of its words
    bool yields = false;
    std::span<const std::string_view> words = {};
};

class Progress;

// Where progress is reported, and which of a baseline's runs this is.
struct RunOfAll {
    Progress* progress = nullptr;
    std::size_t k = 0, all = 1;
};

// What was typed after the command. Options are looked up by name, whichever alias was typed.
struct Arguments {
    std::vector<io::Flag> given;       // command's own options; a switch's value is empty
    std::vector<io::Flag> spec_flags;  // SPEC, as io declares it, as typed
    std::vector<io::Flag> configs =
        {};                    // --config of `given` and --model of `spec_flags`, as typed
    std::string command = {};  // the command's name
    std::vector<std::string> rest = {};      // after --, where the command takes any
    std::vector<Input> inputs = {};          // every file that these name to be read
    std::vector<Report>* reports = nullptr;  // where baseline wants them, instead of printed
    RunOfAll run = {};
    bool is_recorded = false;  // words of a baseline, which nobody who runs this may have read

    bool has(std::string_view name) const;
    std::optional<std::string> value(std::string_view name) const;  // the first
    std::vector<std::string> values(std::string_view name) const;
};

// Standard input, "-", can be read once. Throws InputError where two options name it.
void refuse_stdin_twice(const Arguments& arguments);

// --threads, and what was asked for: 0 where it was left open.
Option threads_option();
unsigned threads_asked(const Arguments& arguments);

// What may follow after --.
enum class Rest { nothing, program, command };

struct Command {
    std::string_view name;
    std::string_view summary;          // one line, no full stop
    std::string_view doing = {};       // "checking": a word for its progress
    std::string_view examples;         // lines, shown first by --help
    std::vector<Option> (*options)();  // in addition to --config, SPEC and --help
    bool repeats_spec;                 // --config and SPEC flags may be given several times
    bool takes_config = true;          // or flags in its place
    std::string (*words)() = nullptr;  // that its options take, for --help
    int (*run)(const Arguments& arguments);
    // where its output goes, asked before it runs; null for standard output alone
    std::vector<Target> (*targets)(const Arguments&) = nullptr;
    Rest rest = Rest::nothing;
    // whether all ranks run it and share its tasks; null: the first alone runs it
    bool (*over_ranks)(const Arguments&) = nullptr;
    // what an input names to be read, too, where that is so
    std::vector<Input> (*further_inputs)(const Arguments&) = nullptr;
    // what it does that a sandbox forbids, as in "runs your program"; "" where it does nothing such
    std::string_view (*beyond_sandbox)(const Arguments&) = nullptr;
};

// The table of commands, and the way to one.

// Each is defined in the file of its name, those of figures in plot/plots.cpp.
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
