#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.hpp"
#include "cli/command/baseline_actions.hpp"
#include "cli/command/baseline_run.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/provenance.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/folder_lock.hpp"
#include "io/file/write_file.hpp"
#include "io/render/command_line.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t most_repeats = 1000;

std::string reason_of(const Arguments& arguments) {
    const std::string reason = printable(arguments.value("--reason").value_or(""), 1000);
    if (reason.find_first_not_of(' ') == std::string::npos)
        throw InputError(
            "baseline needs --reason TEXT: reviewers of the file's diff need to know why the "
            "numbers are what they are");
    return reason;
}

// verify with each SPEC, or the command after --.
std::vector<std::vector<std::string>> commands_to_record(const Arguments& arguments) {
    if (!arguments.rest.empty()) {
        if (!arguments.spec_flags.empty() || arguments.has("--config"))
            throw InputError("baseline record: give the config to the command after --");
        return {canonical(arguments.rest)};
    }
    std::vector<std::vector<std::string>> all;
    for (auto& [one, label] : one_by_one(arguments)) {
        one.command = verify_command.name;
        for (const std::string_view name : baseline_takes_of_verify)
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

bool has_run(const io::Baseline& baseline, const std::vector<std::string>& command) {
    return std::any_of(baseline.runs.begin(), baseline.runs.end(),
                       [&](const io::BaselineRun& run) { return run.command == command; });
}

// What the file holds now, if there is one, and these.
io::Baseline with_runs(const std::string& file, std::span<const io::BaselineRun> runs) {
    io::Baseline baseline;
    std::error_code missing;
    if (std::filesystem::exists(file, missing)) baseline = io::read_baseline(file);
    for (const io::BaselineRun& run : runs) {
        if (has_run(baseline, run.command))
            throw InputError(
                fmt::format("{}: has 'rope-check {}' already; use rope-check baseline update to "
                            "record it again",
                            printable(file), io::shell_words(run.command)));
        baseline.runs.push_back(run);
    }
    return baseline;
}

}  // namespace

std::string baseline_file(const Arguments& arguments) {
    const auto file = arguments.value("FILE");
    if (!file)
        throw InputError("baseline needs a file: rope-check baseline record|check|update FILE");
    return *file;
}

io::Provenance provenance_of(const Arguments& arguments) {
    io::Provenance made = provenance();
    made.reason = reason_of(arguments);
    if (const auto seed = arguments.value("--seed"))
        made.seed = io::parse_whole("--seed", *seed, 0, UINT64_MAX);
    return made;
}

Judged judged(std::span<const std::string> command, const Arguments& arguments,
              const RunOfAll& run) {
    const bool is_recorded =
        arguments.value("ACTION") != "record" && !arguments.has("--allow-large");
    Judged last;
    std::vector<std::vector<Metric>> runs;
    const std::uint64_t times = repeats(arguments);
    for (std::uint64_t i = 0; i < times; ++i) {
        last =
            judge_command(command, is_recorded, {run.progress, run.k * times + i, run.all * times});
        runs.push_back(std::move(last.metrics));
    }
    return {with_spread(runs), last.nothing_checked};
}

void refuse_nothing_checked(std::span<const std::string> command, const Judged& now) {
    if (!now.nothing_checked.empty())
        throw InputError(
            fmt::format("'rope-check {}': {}", io::shell_words(command), now.nothing_checked));
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

int record_baseline(const Arguments& arguments) {
    const std::string file = baseline_file(arguments);
    const io::Provenance made = provenance_of(arguments);
    std::vector<io::BaselineRun> runs;
    for (std::vector<std::string>& command : commands_to_record(arguments))
        runs.push_back({std::move(command), {}});
    (void)with_runs(file, runs);  // what it has already is refused before the work
    (void)begin_stage(arguments, "recording");
    for (std::size_t k = 0; k < runs.size(); ++k) {
        io::BaselineRun& run = runs[k];
        Judged now = judged(run.command, arguments, {arguments.run.progress, k, runs.size()});
        refuse_nothing_checked(run.command, now);
        run.metrics = std::move(now.metrics);
    }

    const io::FolderLock lock(file);
    io::Baseline baseline = with_runs(file, runs);  // others may have recorded meanwhile
    baseline.provenance = made;
    write_baseline(file, baseline, arguments);
    return 0;
}

}  // namespace rope::cli
