#include "cli/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/guard.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/provenance.hpp"
#include "cli/report_output.hpp"
#include "cli/specs.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "cli/verify.hpp"
#include "io/command_line.hpp"
#include "io/number.hpp"
#include "io/printable.hpp"
#include "io/write_file.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view of_verify[] = {"--context", "--pipeline", "--only", "--seed"};
constexpr std::uint64_t most_repeats = 1000;

std::vector<Option> options() {
    std::vector<Option> all = {
        {.name = "ACTION", .value = "WORD", .help = "record, check or update"},
        {.name = "FILE", .value = "FILE", .help = "the baseline"},
        {.name = "--reason", .value = "TEXT", .help = "why the numbers are what they are now"},
        {.name = "--repeat", .value = "N", .help = "judge N times and keep the spread; default 1"},
        {.name = "--strict", .help = "check: a metric that the baseline lacks is drift too"},
        {.name = "--force", .help = "update even where CI is set"},
        {.name = "--allow-audit", .help = "run the programs that audits in the baseline start"},
    };
    for (const Option& option : verify_command.options()) {
        const auto& taken = of_verify;
        if (std::find(std::begin(taken), std::end(taken), option.name) != std::end(taken))
            all.push_back(option);
    }
    for (const Option& option : report_options()) all.push_back(option);
    return all;
}

std::string file_of(const Arguments& arguments) {
    const auto file = arguments.value("FILE");
    if (!file)
        throw InputError("baseline needs a file: rope-check baseline record|check|update FILE");
    return *file;
}

std::string reason_of(const Arguments& arguments) {
    const std::string reason = io::printable(arguments.value("--reason").value_or(""), 1000);
    if (reason.find_first_not_of(' ') == std::string::npos)
        throw InputError(
            "baseline needs --reason TEXT: whoever reads its diff wants to know why the numbers "
            "are what they are");
    return reason;
}

void refuse_what_only_record_takes(const Arguments& arguments, std::string_view action) {
    bool extra = !arguments.rest.empty() || !arguments.spec_flags.empty();
    extra = extra || arguments.has("--config");
    for (const std::string_view name : of_verify) extra = extra || arguments.has(name);
    if (extra)
        throw InputError(fmt::format(
            "baseline {} takes no SPEC: it judges again what the file describes", action));
}

io::Provenance provenance_of(const Arguments& arguments) {
    io::Provenance made = provenance();
    made.reason = reason_of(arguments);
    if (const auto seed = arguments.value("--seed"))
        made.seed = io::parse_whole("--seed", *seed, 0, UINT64_MAX);
    return made;
}

// verify with each SPEC, or the command after --.
std::vector<std::vector<std::string>> commands_to_record(const Arguments& arguments) {
    if (!arguments.rest.empty()) {
        if (!arguments.spec_flags.empty() || arguments.has("--config"))
            throw InputError("baseline record: give SPEC to the command after --");
        return {canonical(arguments.rest)};
    }
    std::vector<std::vector<std::string>> all;
    for (auto& [one, label] : one_by_one(arguments)) {
        one.command = verify_command.name;
        for (const std::string_view name : of_verify)
            for (const std::string& value : arguments.values(name))
                one.given.push_back({std::string(name), value});
        all.push_back(canonical(words_of(one)));
    }
    return all;
}

std::uint64_t repeats(const Arguments& arguments) {
    const auto asked = arguments.value("--repeat");
    return asked ? io::parse_whole("--repeat", *asked, 1, most_repeats) : 1;
}

std::vector<Metric> judged(std::span<const std::string> command, const Arguments& arguments) {
    std::vector<std::vector<Metric>> runs;
    for (std::uint64_t i = 0; i < repeats(arguments); ++i)
        runs.push_back(metrics_of_command(command));
    return with_spread(runs);
}

bool has_run(const io::Baseline& baseline, const std::vector<std::string>& command) {
    return std::any_of(baseline.runs.begin(), baseline.runs.end(),
                       [&](const io::BaselineRun& run) { return run.command == command; });
}

void write(const std::string& file, const io::Baseline& baseline, const Arguments& arguments) {
    io::write_file_atomically(file, io::baseline_json(baseline));
    if (arguments.has("--quiet")) return;
    std::size_t metrics = 0;
    for (const io::BaselineRun& run : baseline.runs) metrics += run.metrics.size();
    say(fmt::format("wrote {}: {} metrics of {} run{}", io::printable(file), metrics,
                    baseline.runs.size(), baseline.runs.size() == 1 ? "" : "s"));
}

int record(const Arguments& arguments) {
    const std::string file = file_of(arguments);
    io::Baseline baseline;
    std::error_code missing;
    if (std::filesystem::exists(file, missing)) baseline = io::read_baseline(file);
    baseline.provenance = provenance_of(arguments);
    const Progress progress(arguments.has("--quiet") ? "" : "recording");
    for (std::vector<std::string>& command : commands_to_record(arguments)) {
        if (has_run(baseline, command))
            throw InputError(fmt::format(
                "{}: has 'rope-check {}' already; rope-check baseline update records it anew",
                io::printable(file), io::words_line(command)));
        std::vector<Metric> metrics = judged(command, arguments);
        baseline.runs.push_back({std::move(command), std::move(metrics)});
    }
    write(file, baseline, arguments);
    return 0;
}

// A baseline comes from a repository, and an audit starts a program.
void refuse_unasked_programs(const io::Baseline& baseline, const Arguments& arguments) {
    if (arguments.has("--allow-audit")) return;
    for (const io::BaselineRun& run : baseline.runs)
        if (run.command.front() == "audit")
            throw InputError(fmt::format("{}: would run '{}'; say --allow-audit if you trust it",
                                         io::printable(file_of(arguments)),
                                         io::words_line(run.command)));
}

io::DriftReport drift_of_file(const std::string& file, const io::Baseline& baseline,
                              std::vector<std::vector<Metric>>& now, const Arguments& arguments) {
    refuse_unasked_programs(baseline, arguments);
    io::DriftReport drift{.file = file, .runs = {}, .strict = arguments.has("--strict")};
    const Progress progress(arguments.has("--quiet") ? "" : "checking");
    for (const io::BaselineRun& run : baseline.runs) {
        now.push_back(judged(run.command, arguments));
        drift.runs.push_back({run.command, drift_of(run.metrics, now.back())});
    }
    return drift;
}

void tell(io::DriftReport drift, const Arguments& arguments) {
    deliver_results({.drift = std::move(drift),
                     .text = {.quiet = arguments.has("--quiet"),
                              .verbose = arguments.has("--verbose"),
                              .dump = {}}},
                    arguments);
}

int check(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "check");
    const std::string file = file_of(arguments);
    (void)report_targets(arguments);
    std::vector<std::vector<Metric>> now;
    io::DriftReport drift = drift_of_file(file, io::read_baseline(file), now, arguments);
    const int code = drift.fails() ? 1 : 0;
    tell(std::move(drift), arguments);
    return code;
}

int update(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "update");
    const std::string file = file_of(arguments);
    if (is_set("CI") && !arguments.has("--force"))
        throw InputError(
            "baseline update: CI is set, and a job that rewrites what it is judged by guards "
            "nothing; update where people commit, or say --force");
    (void)report_targets(arguments);
    io::Baseline baseline = io::read_baseline(file);
    const std::uint64_t seed = baseline.provenance.seed;
    baseline.provenance = provenance_of(arguments);
    baseline.provenance.seed = seed;
    std::vector<std::vector<Metric>> now;
    io::DriftReport drift = drift_of_file(file, baseline, now, arguments);
    for (std::size_t i = 0; i < baseline.runs.size(); ++i)
        baseline.runs[i].metrics = renewed(baseline.runs[i].metrics, now[i]);
    tell(std::move(drift), arguments);
    write(file, baseline, arguments);
    return 0;
}

int run(const Arguments& arguments) {
    const std::string action = arguments.value("ACTION").value_or("");
    if (action == "record") return record(arguments);
    if (action == "check") return check(arguments);
    if (action == "update") return update(arguments);
    constexpr std::string_view known[] = {"record", "check", "update"};
    throw unknown_word("action of 'baseline'", action, known);
}

}  // namespace

constinit const Command baseline_command{
    .name = "baseline",
    .summary = "record every metric of a report in git, and say what moved since",
    .examples =
        "  rope-check baseline record rope.json --config path/to/model --reason \"first record\"\n"
        "  rope-check baseline record rope.json --reason \"our kernel\" -- compare dump.npz --dim "
        "128\n"
        "  rope-check baseline check rope.json\n"
        "  rope-check baseline update rope.json --reason \"config moved to base 500000\"\n",
    .options = options,
    .repeats_spec = true,
    .run = run,
    .takes_rest = true,
};

}  // namespace rope::cli
