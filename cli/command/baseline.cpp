// baseline: records runs, and checks later ones against them.
#include "io/render/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/provenance.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/model/models.hpp"
#include "io/system/read_file.hpp"

namespace rope::cli {
namespace {

// Options that no metric depends on: output, and what decides the exit code.
constexpr std::string_view of_the_report[] = {"--format", "--output",   "--quiet",  "--verbose",
                                              "--color",  "--baseline", "--strict", "--require",
                                              "--help",   "--sandbox"};

constexpr std::string_view judging[] = {"verify", "compare", "audit"};

const Command& judging_command(std::string_view name) {
    return *std::ranges::find(commands(),
                              item_named(name, judging, std::identity{}, "command for a baseline"),
                              &Command::name);
}

// Throws InputError if the words are no command that a baseline records.
Arguments parsed(std::span<const std::string> words) {
    return parse(judging_command(words.front()), words.subspan(1));
}

bool is_of(std::string_view metric, std::string_view group) {
    return (std::string("/") + std::string(metric)).find(fmt::format("/{}/", group)) !=
           std::string::npos;
}

// The metrics without checks that --only left out, and without counts of checks.
std::vector<Metric> of_judged_checks(std::vector<Metric> metrics, std::span<const Report> reports) {
    std::erase_if(metrics, [&](const Metric& metric) {
        const auto is_left_out = [&](const Check& check) {
            return is_of(metric.name, check.id) &&
                   std::ranges::none_of(reports, [&](const Report& report) {
                       return find_finding(report, check.id) != nullptr;
                   });
        };
        return is_of(metric.name, "summary") || std::ranges::any_of(checks(), is_left_out);
    });
    return metrics;
}

// A recorded run is repeated, and a pipe can be read once.
void refuse_streams(const Arguments& arguments) {
    for (const Input& input : arguments.inputs)
        if (io::is_stream(input.path))
            throw InputError(
                fmt::format("{} {}: is a pipe, which a baseline cannot read again; "
                            "give a file",
                            input.option, printable(input.path.native())));
}

// The words that repeat a run, equal for equivalent command lines: first names of options, in the
// order of --help.
std::vector<std::string> words_of(const Arguments& arguments) {
    return words_without(of_the_report, arguments);
}

std::vector<Metric> metrics_of(std::span<const Report> reports) {
    std::vector<Metric> all;
    for (const Report& report : reports) {
        std::vector<Metric> metrics = rope::metrics_of(report);
        std::move(metrics.begin(), metrics.end(), std::back_inserter(all));
    }
    std::ranges::sort(all, {}, &Metric::name);
    return all;
}

// A repeated run.
struct JudgedRun : io::BaselineRun {
    std::vector<Report> reports;
    std::string nothing_checked;  // the reason, if so
};

bool allows(const Arguments& arguments, std::string_view what) {
    const std::vector<std::string> allowed = arguments.values("--allow");
    for (const std::string& word : allowed)
        (void)item_named(word, option_in("baseline", "--allow").words, std::identity{},
                         "word of --allow", "--allow");
    return std::ranges::count(allowed, what) > 0;
}

// Repeats the run of the words, the k-th of `all`, as `asked`. Throws InputError as parsed does.
JudgedRun judged(const std::vector<std::string>& words, const Arguments& asked, std::size_t k,
                 std::size_t all) {
    std::vector<Report> reports;
    Arguments arguments = parsed(words);
    refuse_streams(arguments);
    arguments.reports = &reports;
    arguments.is_recorded = asked.value("ACTION") != "record" && !allows(asked, "large");
    arguments.progress = asked.progress;
    arguments.run = k;
    arguments.runs = all;
    try {
        (void)judging_command(arguments.command).run(arguments);
    } catch (const io::IoError& error) {
        throw io::IoError(std::string(error.what()) + " (names count from the working folder)");
    }
    // every claim counts, since a baseline records its numbers
    return {{words, metrics_of(reports)},
            reports,
            io::nothing_checked({.reports = reports, .drift = io::DriftReport()})};
}

// Throws InputError if the file is missing.
std::string baseline_file(const Arguments& arguments) {
    const auto file = arguments.value("FILE");
    if (!file)
        throw InputError("baseline needs a file: rope-check baseline record|check|update FILE");
    if (*file == "-") throw InputError("baseline", "needs a file to keep its numbers in, not -");
    if (io::is_model(*file))
        throw InputError(
            fmt::format("baseline needs a file before the config: rope-check baseline "
                        "record rope-baseline.json {}",
                        *file));
    return *file;
}

io::Provenance provenance_of(const Arguments& arguments) {
    io::Provenance made = provenance();
    const std::string& reason = made.texts["reason"] =
        printable(arguments.value("--reason").value_or(""), 1000);
    if (reason.find_first_not_of(' ') == std::string::npos)
        throw InputError(
            "baseline needs --reason TEXT: reviewers of the file's diff need to know why the "
            "numbers are what they are");
    made.seed = arguments.whole("--seed").value_or(made.seed);
    return made;
}

// Throws InputError with the reason if the command checked nothing.
void refuse_nothing_checked(const JudgedRun& now) {
    if (!now.nothing_checked.empty())
        throw InputError(
            fmt::format("'rope-check {}': {}", io::shell_words(now.command), now.nothing_checked));
}

void write_baseline(const std::string& file, const io::Baseline& baseline,
                    const Arguments& arguments) {
    io::write_file_atomically(file, io::baseline_json(baseline));
    if (arguments.has("--quiet")) return;
    std::size_t metrics = 0;
    io::DriftReport same{.file = file, .runs = {}};
    for (const io::BaselineRun& run : baseline.runs) {
        metrics += run.metrics.size();
        same.runs.push_back({run.command, drift_of(run.metrics, run.metrics)});
    }
    const std::string accepted = accepted_line(same);
    say(fmt::format("wrote {}: {} metrics of {} run{}{}{}", printable(file), metrics,
                    baseline.runs.size(), baseline.runs.size() == 1 ? "" : "s",
                    accepted.empty() ? "" : "; ", accepted));
}

// Options of verify that record takes, too: each of their values makes a run.
constexpr const char* each_makes_a_run[] = {"--context", "--pipeline", "--seed"};

void refuse_what_only_record_takes(const Arguments& arguments, std::string_view action) {
    bool extra = !arguments.rest.empty() || arguments.names_spec() || arguments.has("--only");
    for (const char* name : each_makes_a_run) extra = extra || arguments.has(name);
    if (extra)
        throw InputError(fmt::format(
            "baseline {} takes no config: it repeats the runs recorded in the file", action));
}

// An option that an earlier version recorded may have been renamed.
Arguments recorded(const std::string& file, const io::BaselineRun& run) try {
    return parsed(run.command);
} catch (const InputError& error) {
    throw InputError(fmt::format(
        "{}: records 'rope-check {}', which this version does not accept: {}; remove the file and "
        "record it again with rope-check baseline record",
        printable(file), io::shell_words(run.command), error.what()));
}

// Throws InputError if the run may not be repeated, or output would replace an input of it.
void refuse_run(const std::string& file, const io::BaselineRun& run, const Arguments& arguments) {
    const std::vector<Input> inputs = recorded(file, run).inputs;
    // a baseline comes from a repository, and an audit starts a program
    if (run.command.front() == "audit" && !allows(arguments, "audit"))
        throw InputError(fmt::format("{}: would run '{}'; pass --allow audit if you trust it",
                                     printable(file), io::shell_words(run.command)));
    for (const Target& target : arguments.targets)
        refuse_to_overwrite(inputs, "--output", target.path);
}

// Repeats the runs of the file. Returns their drift.
io::DriftReport drift_of_file(const std::string& file, std::vector<JudgedRun>& now,
                              const Arguments& arguments) {
    const io::Baseline baseline = io::read_baseline(file);
    for (const io::BaselineRun& run : baseline.runs) refuse_run(file, run, arguments);
    io::DriftReport drift{.file = file, .runs = {}};
    for (const io::BaselineRun& run : baseline.runs) {
        now.push_back(judged(run.command, arguments, now.size(), baseline.runs.size()));
        drift.runs.push_back({run.command,
                              drift_of(run.metrics, now.back().metrics, arguments.has("--strict")),
                              std::move(now.back().reports)});
    }
    return drift;
}

// The current content of the file with the metrics of these runs replaced.
io::Baseline with_renewed(const std::string& file, std::span<const JudgedRun> now) {
    io::Baseline baseline = io::read_baseline(file);
    for (io::BaselineRun& run : baseline.runs)
        for (const JudgedRun& other : now)
            if (run.command == other.command) run.metrics = renewed(run.metrics, other.metrics);
    return baseline;
}

void tell(io::DriftReport drift, const Arguments& arguments) {
    const io::Results results{
        .drift = std::move(drift),
        .text = {
            .quiet = arguments.has("--quiet"), .verbose = arguments.has("--verbose"), .dump = {}}};
    deliver_each(
        arguments, [&] { return verdict_of(results); },
        [&](const Target& target) { deliver_results(results, target, arguments); });
}

// Returns 1 if a metric drifted. Throws InputError if a run checks nothing.
int check_baseline(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "check");
    const std::string file = baseline_file(arguments);
    std::vector<JudgedRun> now;
    io::DriftReport drift = drift_of_file(file, now, arguments);
    const bool fails = drift.fails();
    tell(std::move(drift), arguments);
    if (fails) return 1;
    std::ranges::for_each(now, refuse_nothing_checked);
    return 0;
}

// Prints the drift and writes the new metrics.
int update_baseline(const Arguments& arguments) {
    refuse_what_only_record_takes(arguments, "update");
    const std::string file = baseline_file(arguments);
    if (is_set("CI") && !allows(arguments, "ci"))
        throw InputError(
            "baseline update: CI is set, and a job that rewrites its own baseline protects "
            "nothing; update outside CI, or pass --allow ci");
    io::Provenance made = provenance_of(arguments);
    std::vector<JudgedRun> now;
    io::DriftReport drift = drift_of_file(file, now, arguments);
    std::ranges::for_each(now, refuse_nothing_checked);
    (void)with_renewed(file, now);  // throws before the drift is shown
    tell(std::move(drift), arguments);

    const io::FolderLock lock(file);
    io::Baseline baseline = with_renewed(file, now);  // the file may have changed meanwhile
    made.seed = baseline.provenance.seed;
    baseline.provenance = std::move(made);
    write_baseline(file, baseline, arguments);
    return 0;
}

// Returns the command with each of the values, one at a time.
std::vector<Arguments> with_each(const std::vector<Arguments>& commands, std::string_view option,
                                 const std::vector<std::string>& values) {
    std::vector<Arguments> all;
    for (const Arguments& command : commands)
        for (const std::string& value : values) {
            all.push_back(command);
            all.back().given.push_back({std::string(option), value});
        }
    return values.empty() ? commands : all;
}

// verify with each config, context and pipeline, or the command after --.
std::vector<std::vector<std::string>> commands_to_record(const Arguments& arguments) {
    if (!arguments.rest.empty()) {
        if (arguments.names_spec())
            throw InputError("baseline record: give the config to the command after --");
        return {words_of(parsed(arguments.rest))};
    }
    std::vector<std::vector<std::string>> all;
    for (auto& [one, label] : one_by_one(arguments)) {
        one.command = verify_command.name;
        for (std::string& check : arguments.values("--only"))  // several checks of one run
            one.given.push_back({"--only", std::move(check)});
        std::vector<Arguments> each{std::move(one)};
        for (const char* option : each_makes_a_run)
            each = with_each(each, option, arguments.values(option));
        for (const Arguments& command : each) all.push_back(words_of(parsed(words_of(command))));
    }
    return all;
}

// The current content of the file, if it exists, with these runs added.
io::Baseline with_runs(const std::string& file, std::span<const io::BaselineRun> runs) {
    io::Baseline baseline;
    std::error_code missing;
    if (std::filesystem::exists(file, missing)) baseline = io::read_baseline(file);
    for (const io::BaselineRun& run : runs) {
        if (std::ranges::count(baseline.runs, run.command, &io::BaselineRun::command) > 0)
            throw InputError(
                fmt::format("{}: has 'rope-check {}' already; use rope-check baseline update to "
                            "record it again",
                            printable(file), io::shell_words(run.command)));
        baseline.runs.push_back(run);
    }
    return baseline;
}

// Adds a run for each config, or for the command after --.
int record_baseline(const Arguments& arguments) {
    const std::string file = baseline_file(arguments);
    arguments.refuse({"--output"},
                     "does nothing with record, which writes only the baseline; leave it out");
    const io::Provenance made = provenance_of(arguments);
    std::vector<io::BaselineRun> runs;
    for (std::vector<std::string>& command : commands_to_record(arguments))
        runs.push_back({std::move(command), {}});
    (void)with_runs(file, runs);  // refuses recorded runs before the work
    (void)begin_stage(arguments, "recording");
    std::string configs;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        JudgedRun now = judged(runs[k].command, arguments, k, runs.size());
        refuse_nothing_checked(now);
        configs += io::config_line(now.reports.front());
        runs[k] = std::move(now);
    }

    const io::FolderLock lock(file);
    io::Baseline baseline = with_runs(file, runs);  // the file may have changed meanwhile
    baseline.provenance = made;
    write_baseline(file, baseline, arguments);
    if (!arguments.has("--quiet")) say(configs);
    return 0;
}

int run_baseline(const Arguments& arguments) {
    if (!arguments.has("ACTION"))
        throw InputError(
            "baseline needs an action: record, check or update, as in rope-check baseline check "
            "FILE");
    const std::string_view action =
        item_named(*arguments.value("ACTION"), option_in("baseline", "ACTION").words,
                   std::identity{}, "action of 'baseline'");
    if (action == "record") return record_baseline(arguments);
    return action == "check" ? check_baseline(arguments) : update_baseline(arguments);
}

std::vector<std::vector<std::string>> runs_of(const Arguments& arguments) {
    if (arguments.value("ACTION") == "record") return {arguments.rest};
    std::vector<std::vector<std::string>> runs;
    for (io::BaselineRun& run : io::read_baseline(baseline_file(arguments)).runs)
        runs.push_back(std::move(run.command));
    return runs;
}

// The inputs of the command after --, or of the recorded runs. Errors in these appear when they
// run.
std::vector<Input> inputs_of_runs(const Arguments& arguments) try {
    std::vector<Input> inputs;
    for (const auto& run : runs_of(arguments))
        if (!run.empty()) std::ranges::move(parsed(run).inputs, std::back_inserter(inputs));
    return inputs;
} catch (const InputError&) {
    return {};
} catch (const io::IoError&) {
    return {};
}

std::string_view programs_of_runs(const Arguments& arguments) {
    const bool is_audit = !arguments.rest.empty() && arguments.rest.front() == "audit";
    return is_audit || allows(arguments, "audit") ? "runs audited programs" : "";
}

}  // namespace

io::DriftReport drift_from(const std::string& file, std::span<const Report> reports,
                           const Arguments& arguments) {
    const io::Baseline baseline = io::read_baseline(file);
    const std::vector<std::string> words = words_of(arguments);
    const auto same = std::ranges::find(baseline.runs, words, &io::BaselineRun::command);
    const bool has_command = std::ranges::any_of(baseline.runs, [&](const io::BaselineRun& run) {
        return run.command.front() == arguments.command;
    });
    if (same == baseline.runs.end() && (baseline.runs.size() > 1 || !has_command)) {
        std::vector<std::string> known;
        for (const io::BaselineRun& run : baseline.runs)
            known.push_back("'" + io::shell_words(run.command) + "'");
        throw InputError(
            fmt::format("{}: has no run '{}'; it has {}; rope-check baseline record {} "
                        "--reason WHY -- {} adds it",
                        printable(file), io::shell_words(words), fmt::join(known, ", "),
                        printable(file), io::shell_words(words)));
    }
    const io::BaselineRun& run = same == baseline.runs.end() ? baseline.runs.front() : *same;
    std::vector<Metric> recorded = run.metrics, now = metrics_of(reports);
    if (arguments.has("--only") && same == baseline.runs.end()) {
        recorded = of_judged_checks(std::move(recorded), reports);
        now = of_judged_checks(std::move(now), reports);
    }
    return {.file = file,
            .runs = {{run.command, drift_of(recorded, now, arguments.has("--strict"))}}};
}

constinit const Command baseline_command{.name = "baseline",
                                         .run = run_baseline,
                                         .rest = Rest::command,
                                         .further_inputs = inputs_of_runs,
                                         .beyond_sandbox = programs_of_runs};

}  // namespace rope::cli
