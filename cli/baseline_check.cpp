#include <fmt/format.h>

#include "cli/baseline_actions.hpp"
#include "cli/progress.hpp"
#include "cli/report_output.hpp"
#include "cli/terminal.hpp"
#include "io/command_line.hpp"
#include "io/printable.hpp"

namespace rope::cli {
namespace {

void refuse_what_only_record_takes(const Arguments& arguments, std::string_view action) {
    bool extra = !arguments.rest.empty() || !arguments.spec_flags.empty();
    extra = extra || arguments.has("--config");
    for (const std::string_view name : baseline_takes_of_verify)
        extra = extra || arguments.has(name);
    if (extra)
        throw InputError(fmt::format(
            "baseline {} takes no SPEC: it judges again what the file describes", action));
}

// A baseline comes from a repository, and an audit starts a program.
void refuse_unasked_programs(const io::Baseline& baseline, const Arguments& arguments) {
    if (arguments.has("--allow-audit")) return;
    for (const io::BaselineRun& run : baseline.runs)
        if (run.command.front() == "audit")
            throw InputError(fmt::format("{}: would run '{}'; say --allow-audit if you trust it",
                                         io::printable(baseline_file(arguments)),
                                         io::shell_words(run.command)));
}

io::DriftReport drift_of_file(const std::string& file, const io::Baseline& baseline,
                              std::vector<Judged>& now, const Arguments& arguments) {
    refuse_unasked_programs(baseline, arguments);
    io::DriftReport drift{.file = file, .runs = {}, .strict = arguments.has("--strict")};
    const Progress progress(arguments.has("--quiet") ? "" : "checking");
    for (const io::BaselineRun& run : baseline.runs) {
        now.push_back(judged(run.command, arguments));
        drift.runs.push_back({run.command, drift_of(run.metrics, now.back().metrics)});
    }
    return drift;
}

void refuse_idle_runs(const io::Baseline& baseline, std::span<const Judged> now) {
    for (std::size_t i = 0; i < now.size(); ++i)
        refuse_nothing_checked(baseline.runs[i].command, now[i]);
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
    (void)report_targets(arguments);
    const io::Baseline baseline = io::read_baseline(file);
    std::vector<Judged> now;
    io::DriftReport drift = drift_of_file(file, baseline, now, arguments);
    const bool fails = drift.fails();
    tell(std::move(drift), arguments);
    if (fails) return 1;
    refuse_idle_runs(baseline, now);
    return 0;
}

int update_baseline(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "update");
    const std::string file = baseline_file(arguments);
    if (is_set("CI") && !arguments.has("--force"))
        throw InputError(
            "baseline update: CI is set, and a job that rewrites what it is judged by guards "
            "nothing; update where people commit, or say --force");
    (void)report_targets(arguments);
    io::Baseline baseline = io::read_baseline(file);
    const std::uint64_t seed = baseline.provenance.seed;
    baseline.provenance = provenance_of(arguments);
    baseline.provenance.seed = seed;
    std::vector<Judged> now;
    io::DriftReport drift = drift_of_file(file, baseline, now, arguments);
    refuse_idle_runs(baseline, now);
    for (std::size_t i = 0; i < baseline.runs.size(); ++i)
        baseline.runs[i].metrics = renewed(baseline.runs[i].metrics, std::move(now[i].metrics));
    tell(std::move(drift), arguments);
    write_baseline(file, baseline, arguments);
    return 0;
}

}  // namespace rope::cli
