#include "cli/command/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>

#include "base/printable.hpp"
#include "cli/command/baseline_run.hpp"
#include "cli/command/drawn_cases.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/suggest.hpp"
#include "cli/shell/terminal.hpp"
#include "io/subject/identified.hpp"
#include "io/text/number.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/session/judge.hpp"

namespace rope::cli {
namespace {

// The values of an option that takes checks, or claims alone.
std::vector<std::string> checks_named_by(std::string_view option, bool claims_only,
                                         const Arguments& arguments) {
    std::vector<std::string_view> known;
    for (const Check& check : checks()) {
        if (!claims_only || check.kind == Kind::claim) known.push_back(check.id);
    }
    for (const auto& [other, id] : other_check_names) known.push_back(other);
    std::vector<std::string> named = arguments.values(option);
    for (std::string& id : named) {
        if (id.starts_with("001-c3-")) id.erase(0, 4);  // the ledger's id of the same claim
        if (std::find(known.begin(), known.end(), id) == known.end()) {
            throw unknown_word(claims_only ? "claim" : "check", id, known)
                .about(std::string(option));
        }
        id = check_named(id);
    }
    return named;
}

// A required claim must be checked.
std::vector<std::string> required_claims(const Arguments& arguments,
                                         const SessionOptions& options) {
    std::vector<std::string> required = checks_named_by("--require", true, arguments);
    for (const std::string& check : required) {
        const auto& only = options.only;
        if (!only.empty() && std::find(only.begin(), only.end(), check) == only.end()) {
            throw InputError("--require",
                             fmt::format("{0}: --only excludes it; add --only {0}", check));
        }
    }
    return required;
}

// Once each; the cases of one model have the same, which may be many.
void add_lint(std::vector<io::Lint>& all, std::span<const Case> cases) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const std::vector<io::Lint>& own = cases[k].resolved.lint;
        if (k > 0 && own == cases[k - 1].resolved.lint) continue;
        const std::vector<io::Lint> before = all;
        std::ranges::copy_if(own, std::back_inserter(all), [&](const io::Lint& one) {
            return std::ranges::find(before, one) == before.end();
        });
    }
}

std::vector<Report> judge_all(std::span<const Case> cases, SessionOptions options, Drawing& drawing,
                              const Arguments& arguments) {
    (void)begin_stage(arguments, "checking");
    std::vector<Report> reports;
    for (const Case& one : cases) {
        options.tasks = begin_part(arguments, reports.size(), cases.size());
        drawing.collect(reports.size(), options);
        reports.push_back(report_of(one, options));
    }
    return reports;
}

}  // namespace

SessionOptions session_options(const Arguments& arguments) {
    SessionOptions options;
    options.digest = arguments.reports != nullptr || arguments.has("--baseline");
    options.only = checks_named_by("--only", false, arguments);
    if (const auto limit = arguments.value("--max-error")) {
        options.max_error = io::parse_real("--max-error", *limit);
        if (!(*options.max_error >= 0))
            throw InputError("--max-error",
                             fmt::format(": {} is not a number from 0 on", printable(*limit)));
    }
    if (const auto seed = arguments.value("--seed")) {
        options.seed =
            io::parse_whole("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max());
    }
    options.threads = threads_asked(arguments);
    return options;
}

Report report_of(const Case& one, const SessionOptions& options) {
    Report report = one.judge(options);
    report.origins = one.resolved.origins;
    report.ignored = one.resolved.ignored;
    report.subject.layers = one.layers;
    report.subject.layer_numbers = one.layer_numbers;
    report.identity = one.identity;
    if (!one.identity.empty() && !rotate_alike(report.spec, one.resolved.spec))
        report.identity = io::identity_beside_mistakes(report.spec);
    return report;
}

io::Results asked_results(std::span<const Case> cases, const SessionOptions& options,
                          const Arguments& arguments, io::SubjectWords dump) {
    io::Results results{.required = required_claims(arguments, options)};
    results.text = {.quiet = arguments.has("--quiet"),
                    .verbose = arguments.has("--verbose"),
                    .dump = std::move(dump)};
    results.strict = arguments.has("--strict");
    add_lint(results.lint, cases);
    return results;
}

std::uint64_t context_to_check(std::optional<std::uint64_t> asked, std::uint64_t own,
                               const Spec& spec, const Arguments& arguments) {
    if (!asked)
        io::require_brief("max_position_embeddings", own, spec.pairs(),
                          "choose how many with --context");
    else if (arguments.is_recorded)
        io::require_brief("--context of the baseline", *asked, spec.pairs(),
                          "pass --allow large to check them all the same");
    return asked.value_or(own);
}

int judge_and_report(std::span<const Case> cases, const Arguments& arguments, io::SubjectWords dump,
                     Drawn drawn) {
    const SessionOptions options = session_options(arguments);
    io::Results results = asked_results(cases, options, arguments, std::move(dump));
    const auto start = std::chrono::steady_clock::now();
    Drawing drawing(cases.size(), drawn, arguments);
    results.reports = judge_all(cases, options, drawing, arguments);
    if (arguments.reports != nullptr) {
        for (Report& report : results.reports) arguments.reports->push_back(std::move(report));
        return 0;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (const auto file = arguments.value("--baseline"))
        results.drift = drift_from(*file, results.reports, arguments);
    const int code = io::exit_code(results);
    deliver_each(report_targets(arguments), [&](const Target& target) {
        if (!is_drawn(target.format))
            deliver_results(results, target, arguments);
        else if (code != 2)  // nothing was checked
            drawing.deliver(cases, results, target);
    });
    if (stderr_is_terminal() && !results.text.quiet) {
        say(fmt::format("checked in {:.2f} s", seconds.count()));
    }
    if (code == 2) throw InputError(io::nothing_checked(results));
    return code;
}

std::vector<Option> with_question_options(std::vector<Option> own) {
    own.push_back({.name = "--only",
                   .value = "CHECK",
                   .help = "run only this check; rope-check list checks",
                   .repeats = true});
    own.push_back({.name = "--require",
                   .value = "CLAIM",
                   .help = "exit 1 if this claim fails",
                   .repeats = true});
    own.push_back({.name = "--max-error",
                   .value = "REAL",
                   .help = "exit 1 if an error of cos or sin exceeds REAL"});
    own.push_back(
        {.name = "--seed", .value = "N", .help = "seed of the random vectors (default: 1)"});
    own.push_back(threads_option());
    return own;
}

std::vector<Option> with_judging_options(std::vector<Option> own, std::string_view output) {
    own = with_question_options(std::move(own));
    own.push_back({.name = "--baseline",
                   .value = "FILE",
                   .help = "exit 1 if a metric drifted from this baseline",
                   .reads = Reads::file});
    own.push_back(
        {.name = "--strict", .help = "exit 1 on a warning, or a metric missing from the baseline"});
    for (const Option& option : report_options(output)) own.push_back(option);
    return own;
}

}  // namespace rope::cli
