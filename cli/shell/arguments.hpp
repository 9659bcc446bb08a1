// A command, its options and its arguments, and the parser of command lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/output.hpp"
#include "io/model/spec_flags.hpp"
#include "rope/checks/report.hpp"

namespace rope::cli {

struct Option {
    // "--context"; without a dash a positional argument, with '=' one of "ROLE=VALUE" words, whose
    // roles are `words` and whose values are looked up by role, as "q="
    std::string_view name = {};
    std::string_view value = {};  // kind of value, for help; empty for a switch
    std::string_view help = {};
    Reads reads = Reads::nothing;
    bool repeats = false;
    std::string_view alias = {};  // "-o"
    bool writes = false;          // whether it also writes the file that it reads
    // for a positional argument: configs and built-in models go to --config and --model instead,
    // unless they are among its words
    bool yields = false;
    std::vector<std::string_view> words = {};
    std::vector<std::string_view> formats = {};  // of the files that it names, for --output
};

class Progress;

// The words typed after the command. Options are looked up by name, whichever alias was typed.
struct Arguments {
    std::vector<io::Flag> given;       // the command's options; the value of a switch is empty
    std::vector<io::Flag> spec_flags;  // flags of the config, as typed
    std::vector<io::Flag> configs =
        {};                    // --config of `given` and --model of `spec_flags`, as typed
    std::string command = {};  // the command's name
    std::vector<std::string> rest = {};      // after --, if the command takes any
    std::vector<Input> inputs = {};          // every file to be read
    std::vector<Target> targets = {};        // of the output; empty if it is a baseline's
    std::vector<Report>* reports = nullptr;  // receives a baseline's reports, not printed
    Progress* progress = nullptr;            // to report to
    std::size_t run = 0, runs = 1;           // the number of a baseline's run, and of all
    bool is_recorded = false;  // words of a baseline, which the user may not have read

    bool has(std::string_view name) const;
    std::optional<std::string> value(std::string_view name) const;  // of the first occurrence
    std::vector<std::string> values(std::string_view name) const;
    bool names(std::string_view spec_flag) const;  // whether it was typed, by any of its names
    bool names_model() const;                      // by --config or --model
    bool names_spec() const;                       // by any word
    // Throws InputError for the first of these options that was given.
    void refuse(std::initializer_list<std::string_view> options, const std::string& why) const;
    // The value as a whole number. Throws InputError for another.
    std::optional<std::uint64_t> whole(std::string_view name, std::uint64_t least = 0,
                                       std::uint64_t most = UINT64_MAX) const;
};

// The words of an option, an argument ROLE=VALUE or another argument: {"--dim", "64"}, {"q=x.npy"},
// {"x.npz"}.
std::vector<std::string> words_of_flag(const io::Flag& given);
// The words of a command line that gives all arguments but these options.
std::vector<std::string> words_without(std::span<const std::string_view> options,
                                       const Arguments& arguments);

// Returns the value of --threads; 0 if it is not given.
unsigned threads_asked(const Arguments& arguments);

// The words that a command takes after --.
enum class Rest { nothing, program, command };

struct Command {
    std::string_view name;
    // of data/commands.txt
    std::string_view summary = {};         // one line, no full stop
    std::string_view doing = {};           // "checking": a word for its progress
    std::string_view examples = {};        // lines, shown first by --help
    std::string_view config = "config";    // the section of its options for a config: "configs" if
                                           // these may repeat; empty: none
    std::span<const Option> options = {};  // in addition to these and --help

    std::string (*words)() = nullptr;  // words of its options, for --help
    int (*run)(const Arguments& arguments);
    // targets of its output, computed before it runs
    std::vector<Target> (*targets)(const Arguments&) = usual_targets;
    Rest rest = Rest::nothing;
    // whether all MPI ranks run it and share its tasks; null: only the first rank runs it
    bool (*over_ranks)(const Arguments&) = nullptr;
    // further files to read that an input names; null: none
    std::vector<Input> (*further_inputs)(const Arguments&) = nullptr;
    // an action that a sandbox forbids, such as "runs your program"; "" if there is none
    std::string_view (*beyond_sandbox)(const Arguments&) = nullptr;
};

// Each is defined in a file of cli/command.
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

// Whether the process runs only one command, so that it may be restricted to its files.
enum class Process { shared, own };

// Runs the command line `words`, without the program's name. Returns the exit code.
int run(std::span<const std::string> words, Process process = Process::shared);

// Parses words into Arguments; values remain text. Throws InputError with the word, and the nearest
// known one, for an unknown option, a missing value, a value for a switch, or a repeated option.
// For a command that takes a program, the words after -- are kept as they are.
Arguments parse(const Command& command, std::span<const std::string> words);

// Returns the command with its texts and options of data/commands.txt.
Command described(Command command);

// Returns the options of a command or of another section of that file: "any" of every command.
std::span<const Option> options_in(std::string_view section);
// Returns one of them.
const Option& option_in(std::string_view section, std::string_view name);

// Returns the options of a command with a config: --config, the config flags that io declares, and
// --rope.
std::vector<Option> spec_options(const Command& command);

// Returns all options of a command: its options, --help and these, in this order.
std::vector<Option> options_of(const Command& command);

}  // namespace rope::cli
