#include <algorithm>

#include "cli/command/baseline_actions.hpp"
#include "cli/command/baseline_run.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/suggest.hpp"
#include "io/file/io_error.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view actions[] = {"record", "check", "update"};

std::vector<Option> baseline_options() {
    std::vector<Option> all = {
        {.name = "ACTION",
         .value = "WORD",
         .help = "record, check or update",
         .yields = true,
         .words = actions},
        {.name = "FILE",
         .value = "FILE",
         .help = "the baseline file",
         .reads = Reads::file,
         .writes = true},
        {.name = "--reason",
         .value = "TEXT",
         .help = "the reason for these numbers, kept in the file"},
        {.name = "--repeat", .value = "N", .help = "run N times and record the range (default: 1)"},
        {.name = "--strict", .help = "check: count a metric missing from the baseline as drift"},
        {.name = "--force", .help = "update even if CI is set"},
        {.name = "--allow-audit", .help = "run the programs of the audits in the baseline"},
        {.name = "--allow-large",
         .help = "repeat runs of the baseline that take minutes or more than 4 GiB"},
    };
    for (const Option& option : verify_command.options()) {
        const auto& taken = baseline_takes_of_verify;
        if (std::find(std::begin(taken), std::end(taken), option.name) != std::end(taken))
            all.push_back(option);
    }
    for (const Option& option : report_options(report_files)) all.push_back(option);
    return all;
}

int run_baseline(const Arguments& arguments) {
    if (!arguments.has("ACTION"))
        throw InputError(
            "baseline needs an action: record, check or update, as in rope-check baseline check "
            "FILE");
    const std::string action = *arguments.value("ACTION");
    if (action == "record") return record_baseline(arguments);
    if (action == "check") return check_baseline(arguments);
    if (action == "update") return update_baseline(arguments);
    throw unknown_word("action of 'baseline'", action, actions);
}

std::vector<std::vector<std::string>> runs_of(const Arguments& arguments) {
    if (arguments.value("ACTION") == "record") return {arguments.rest};
    std::vector<std::vector<std::string>> runs;
    for (io::BaselineRun& run : io::read_baseline(baseline_file(arguments)).runs)
        runs.push_back(std::move(run.command));
    return runs;
}

// Of what is recorded after --, or of what the file has recorded. What is wrong with it is said
// when it is run.
std::vector<Input> inputs_of_runs(const Arguments& arguments) try {
    std::vector<Input> inputs;
    for (const auto& run : runs_of(arguments))
        if (!run.empty())
            for (Input& input : inputs_of_command(run)) inputs.push_back(std::move(input));
    return inputs;
} catch (const InputError&) {
    return {};
} catch (const io::IoError&) {
    return {};
}

std::string_view programs_of_runs(const Arguments& arguments) {
    const bool is_audit = !arguments.rest.empty() && arguments.rest.front() == "audit";
    return is_audit || arguments.has("--allow-audit") ? "runs audited programs" : "";
}

}  // namespace

constinit const Command baseline_command{
    .name = "baseline",
    .summary = "record a report's metrics, and say what changed since",
    .doing = "checking",
    .examples =
        "  rope-check baseline record rope.json --config path/to/model --reason \"first record\"\n"
        "  rope-check baseline record rope.json --reason \"our kernel\" -- compare dump.npz --dim "
        "128\n"
        "  rope-check baseline check rope.json\n"
        "  rope-check baseline update rope.json --reason \"config changed to base 500000\"\n",
    .options = baseline_options,
    .repeats_spec = true,
    .run = run_baseline,
    .targets = written_report_targets,
    .rest = Rest::command,
    .further_inputs = inputs_of_runs,
    .beyond_sandbox = programs_of_runs,
};

}  // namespace rope::cli
