#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/baseline_actions.hpp"
#include "cli/progress.hpp"
#include "cli/provenance.hpp"
#include "cli/specs.hpp"
#include "cli/terminal.hpp"
#include "cli/verify.hpp"
#include "io/command_line.hpp"
#include "io/number.hpp"
#include "io/printable.hpp"
#include "io/write_file.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t most_repeats = 1000;

std::string reason_of(const Arguments& arguments) {
    const std::string reason = io::printable(arguments.value("--reason").value_or(""), 1000);
    if (reason.find_first_not_of(' ') == std::string::npos)
        throw InputError(
            "baseline needs --reason TEXT: whoever reads its diff wants to know why the numbers "
            "are what they are");
    return reason;
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

Judged judged(std::span<const std::string> command, const Arguments& arguments) {
    Judged last;
    std::vector<std::vector<Metric>> runs;
    for (std::uint64_t i = 0; i < repeats(arguments); ++i) {
        last = judge_command(command);
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
    for (const io::BaselineRun& run : baseline.runs) metrics += run.metrics.size();
    say(fmt::format("wrote {}: {} metrics of {} run{}", io::printable(file), metrics,
                    baseline.runs.size(), baseline.runs.size() == 1 ? "" : "s"));
}

int record_baseline(const Arguments& arguments) {
    const std::string file = baseline_file(arguments);
    io::Baseline baseline;
    std::error_code missing;
    if (std::filesystem::exists(file, missing)) baseline = io::read_baseline(file);
    baseline.provenance = provenance_of(arguments);
    const Progress progress(arguments.has("--quiet") ? "" : "recording");
    for (std::vector<std::string>& command : commands_to_record(arguments)) {
        if (has_run(baseline, command))
            throw InputError(fmt::format(
                "{}: has 'rope-check {}' already; rope-check baseline update records it anew",
                io::printable(file), io::shell_words(command)));
        Judged now = judged(command, arguments);
        refuse_nothing_checked(command, now);
        baseline.runs.push_back({std::move(command), std::move(now.metrics)});
    }
    write_baseline(file, baseline, arguments);
    return 0;
}

}  // namespace rope::cli
