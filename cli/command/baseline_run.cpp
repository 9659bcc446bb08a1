#include "cli/command/baseline_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/options.hpp"
#include "io/file/read_file.hpp"
#include "io/render/command_line.hpp"
#include "io/render/results.hpp"
#include "rope/session/judge.hpp"

namespace rope::cli {
namespace {

// Options that no metric depends on: output, and what decides the exit code.
constexpr std::string_view of_the_report[] = {"--format", "--output",   "--quiet",  "--verbose",
                                              "--color",  "--baseline", "--strict", "--require",
                                              "--help",   "--sandbox"};

constexpr std::string_view judging[] = {"verify", "compare", "audit"};

const Command& judging_command(std::string_view name) {
    (void)item_named(name, judging, std::identity{}, "command for a baseline");
    return *std::ranges::find(commands(), name, &Command::name);
}

bool is_of(std::string_view metric, std::string_view group) {
    return (std::string("/") + std::string(metric)).find(fmt::format("/{}/", group)) !=
           std::string::npos;
}

// The metrics without checks that --only left out, and without counts of checks.
std::vector<Metric> of_judged_checks(std::vector<Metric> metrics, std::span<const Report> reports) {
    const auto is_judged = [&](const Check& check) {
        return std::ranges::any_of(reports, [&](const Report& report) {
            return std::ranges::any_of(
                report.findings, [&](const Finding& finding) { return finding.check == check.id; });
        });
    };
    std::erase_if(metrics, [&](const Metric& metric) {
        return is_of(metric.name, "summary") ||
               std::ranges::any_of(checks(), [&](const Check& check) {
                   return is_of(metric.name, check.id) && !is_judged(check);
               });
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

}  // namespace

std::vector<std::string> words_of(const Arguments& arguments) {
    std::vector<std::string> words{arguments.command};
    const auto add = [&](std::string_view name, const std::string& value) {
        if (name.starts_with('-')) words.emplace_back(name);
        if (!value.empty()) words.push_back(value);
    };
    for (const io::Flag& flag : arguments.given) {
        if (std::ranges::count(of_the_report, flag.name) == 0) add(flag.name, flag.value);
    }
    for (std::string& word : io::words_of_flags(arguments.spec_flags))
        words.push_back(std::move(word));
    if (!arguments.rest.empty()) words.emplace_back("--");
    words.insert(words.end(), arguments.rest.begin(), arguments.rest.end());
    return words;
}

std::vector<std::string> canonical(std::span<const std::string> words) {
    const Command& command = judging_command(words.front());
    return words_of(parse(command, words.subspan(1)));
}

std::vector<Input> inputs_of_command(std::span<const std::string> words) {
    return parse(judging_command(words.front()), words.subspan(1)).inputs;
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

io::DriftReport drift_from(const std::string& file, std::span<const Report> reports,
                           const Arguments& arguments) {
    const io::Baseline baseline = io::read_baseline(file);
    const std::vector<std::string> words = words_of(arguments);
    const auto same = std::ranges::find(baseline.runs, words, &io::BaselineRun::command);
    if (same == baseline.runs.end() && baseline.runs.size() > 1) {
        std::vector<std::string> known;
        for (const io::BaselineRun& run : baseline.runs)
            known.push_back("'" + io::shell_words(run.command) + "'");
        throw InputError(fmt::format("{}: has no run '{}'; it has {}", printable(file),
                                     io::shell_words(words), fmt::join(known, ", ")));
    }
    const io::BaselineRun& run = same == baseline.runs.end() ? baseline.runs.front() : *same;
    std::vector<Metric> recorded = run.metrics, now = metrics_of(reports);
    if (arguments.has("--only") && same == baseline.runs.end()) {
        recorded = of_judged_checks(std::move(recorded), reports);
        now = of_judged_checks(std::move(now), reports);
    }
    return {.file = file,
            .runs = {{run.command, drift_of(recorded, now)}},
            .strict = arguments.has("--strict")};
}

Judged judge_command(std::span<const std::string> words, bool is_recorded, const RunOfAll& run) {
    const Command& command = judging_command(words.front());
    std::vector<Report> reports;
    Arguments arguments = parse(command, words.subspan(1));
    refuse_streams(arguments);
    arguments.reports = &reports;
    arguments.is_recorded = is_recorded;
    arguments.run = run;
    (void)command.run(arguments);
    // every claim counts, since a baseline records its numbers
    return {metrics_of(reports),
            io::nothing_checked({.reports = reports, .drift = io::DriftReport()})};
}

}  // namespace rope::cli
