#include <fmt/format.h>

#include "base/printable.hpp"
#include "cli/command/baseline_actions.hpp"
#include "cli/command/baseline_run.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/folder_lock.hpp"
#include "io/render/command_line.hpp"

namespace rope::cli {
namespace {

void refuse_what_only_record_takes(const Arguments& arguments, std::string_view action) {
    bool extra = !arguments.rest.empty() || !arguments.spec_flags.empty();
    extra = extra || arguments.has("--config");
    for (const std::string_view name : baseline_takes_of_verify)
        extra = extra || arguments.has(name);
    if (extra)
        throw InputError(fmt::format(
            "baseline {} takes no config: it repeats the runs recorded in the file", action));
}

// A baseline comes from a repository, and an audit starts a program.
void refuse_unasked_programs(const io::Baseline& baseline, const Arguments& arguments) {
    if (arguments.has("--allow-audit")) return;
    for (const io::BaselineRun& run : baseline.runs)
        if (run.command.front() == "audit")
            throw InputError(fmt::format("{}: would run '{}'; pass --allow-audit if you trust it",
                                         printable(baseline_file(arguments)),
                                         io::shell_words(run.command)));
}

// What is judged again stays what it is.
void refuse_to_overwrite_judged(const io::Baseline& baseline, const Arguments& arguments) {
    for (const io::BaselineRun& run : baseline.runs)
        for (const Target& target : written_report_targets(arguments))
            refuse_to_overwrite(inputs_of_command(run.command), "--output", target.path);
}

struct JudgedRun {
    std::vector<std::string> command;
    Judged judged;
};

// How what is judged now differs from what was recorded.
io::DriftReport drift_of_file(const std::string& file, const io::Baseline& baseline,
                              std::vector<JudgedRun>& now, const Arguments& arguments) {
    refuse_unasked_programs(baseline, arguments);
    refuse_to_overwrite_judged(baseline, arguments);
    io::DriftReport drift{.file = file, .runs = {}, .strict = arguments.has("--strict")};
    for (const io::BaselineRun& run : baseline.runs) {
        now.push_back(
            {run.command, judged(run.command, arguments,
                                 {arguments.run.progress, now.size(), baseline.runs.size()})});
        drift.runs.push_back({run.command, drift_of(run.metrics, now.back().judged.metrics)});
    }
    return drift;
}

// What the file holds now, with the metrics of these runs renewed.
io::Baseline with_renewed(const std::string& file, std::span<const JudgedRun> now) {
    io::Baseline baseline = io::read_baseline(file);
    for (io::BaselineRun& run : baseline.runs)
        for (const JudgedRun& other : now)
            if (run.command == other.command)
                run.metrics = renewed(run.metrics, other.judged.metrics);
    return baseline;
}

void refuse_idle_runs(std::span<const JudgedRun> now) {
    for (const JudgedRun& run : now) refuse_nothing_checked(run.command, run.judged);
}

void tell(io::DriftReport drift, const Arguments& arguments) {
    deliver_results({.drift = std::move(drift),
                     .text = {.quiet = arguments.has("--quiet"),
                              .verbose = arguments.has("--verbose"),
                              .dump = {}}},
                    arguments);
}

}  // namespace

int check_baseline(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "check");
    const std::string file = baseline_file(arguments);
    std::vector<JudgedRun> now;
    io::DriftReport drift = drift_of_file(file, io::read_baseline(file), now, arguments);
    const bool fails = drift.fails();
    tell(std::move(drift), arguments);
    if (fails) return 1;
    refuse_idle_runs(now);
    return 0;
}

int update_baseline(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "update");
    const std::string file = baseline_file(arguments);
    if (is_set("CI") && !arguments.has("--force"))
        throw InputError(
            "baseline update: CI is set, and a job that rewrites its own baseline protects "
            "nothing; update outside CI, or pass --force");
    io::Provenance made = provenance_of(arguments);
    std::vector<JudgedRun> now;
    io::DriftReport drift = drift_of_file(file, io::read_baseline(file), now, arguments);
    refuse_idle_runs(now);
    (void)with_renewed(file, now);  // what cannot be renewed is refused before it is shown
    tell(std::move(drift), arguments);

    const io::FolderLock lock(file);
    io::Baseline baseline = with_renewed(file, now);  // others may have recorded meanwhile
    made.seed = baseline.provenance.seed;
    baseline.provenance = std::move(made);
    write_baseline(file, baseline, arguments);
    return 0;
}

}  // namespace rope::cli
