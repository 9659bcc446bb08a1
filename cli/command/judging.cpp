#include "cli/command/judging.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/command/plotting.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/subject/subject.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"
#include "plots/figures/figures.hpp"
#include "rope/changes/mistakes.hpp"
#include "rope/session/session.hpp"

namespace rope::cli {
namespace {

// The values of an option that takes checks, or only claims.
std::vector<std::string> checks_named_by(std::string_view option, bool claims_only,
                                         const Arguments& arguments) {
    std::vector<std::string_view> known;
    for (const Check& check : checks())
        if (!claims_only || check.kind == Kind::claim) known.push_back(check.id);
    for (const auto& [other, id] : other_check_names) known.push_back(other);
    std::vector<std::string> named = arguments.values(option);
    for (std::string& id : named) {
        if (id.starts_with("001-c3-")) id.erase(0, 4);  // the id of the claim in `claims`
        if (std::ranges::count(known, id) == 0) {
            if (claims_only &&
                std::ranges::count(ledger::all_entries(), "001-" + id, &ledger::Entry::id) > 0)
                throw InputError(std::string(option),
                                 fmt::format(": {0} is only derived, by rope-check claims 001-{0}; "
                                             "it takes {1}",
                                             printable(id), listed(known)));
            throw unknown_word(claims_only ? "claim" : "check", id, known)
                .about(std::string(option));
        }
        id = check_named(id);
    }
    return named;
}

// Throws InputError if a required claim is not among the checks.
std::vector<std::string> required_claims(const Arguments& arguments,
                                         const SessionOptions& options) {
    std::vector<std::string> required = checks_named_by("--require", true, arguments);
    for (const std::string& check : required) {
        const auto& only = options.only;
        if (!only.empty() && std::ranges::count(only, check) == 0) {
            throw InputError("--require",
                             fmt::format("{0}: --only excludes it; add --only {0}", check));
        }
    }
    return required;
}

// Adds each warning once. Cases of one model have equal lists, which may be long.
void add_lint(std::vector<io::Lint>& all, std::span<const Case> cases) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const std::vector<io::Lint>& own = cases[k].resolved.lint;
        if (k > 0 && own == cases[k - 1].resolved.lint) continue;
        for (const io::Lint& one : own)
            if (std::ranges::count(all, one) == 0) all.push_back(one);
    }
}

// "cos.npy, sin.npy" of an origin with two paths.
std::string file_names(const std::string& origin) {
    return join(split(origin, ", "), [](auto path) { return file_name(std::string(path)); });
}

// The label that distinguishes the subject: "llama-3.1-8b, full_attention, bf16-angles".
std::string label_of(const Case& one, const Arguments& arguments, const Report& report) {
    std::string label;
    const auto add = [&](const std::string& word) {
        if (!word.empty()) label += (label.empty() ? "" : ", ") + word;
    };
    add(subject_name(arguments));
    add(one.layers);
    if (!report.subject.pipeline.empty())
        add(report.subject.pipeline);
    else if (one.layers.empty())
        add(file_names(report.subject.origin));
    return label;
}

// The resolution of each subject's cells, about 0.8 MB of a page together.
ErrorMap cells_of_each(std::size_t subjects) {
    constexpr std::size_t most_rows = 64, fewest_rows = 16, most_cells = 320 * most_rows;
    const std::size_t each = most_cells / std::min(subjects, most_cells / 256);
    const std::size_t rows = std::clamp(each / 64, fewest_rows, most_rows);
    return {.most_parts = each / rows, .most_rows = rows, .keeps_places = true};
}

// "gemma-3-27b, 2 subjects"
std::string title_of(std::span<const DrawnReport> subjects, const Arguments& arguments) {
    const DrawnReport& first = subjects.front();
    if (subjects.size() == 1) return first.label;
    const std::string name = subject_name(arguments);
    return fmt::format("{}, {} subjects",
                       name.empty() ? file_names(first.report.subject.origin) : name,
                       subjects.size());
}

// Must be called before the case is checked: its data for a figure and for a page is collected.
void collect(DrawnReport& drawn, std::size_t cases, const Arguments& arguments,
             SessionOptions& options) {
    options.errors.clear();
    if (std::ranges::count(arguments.targets, "html", &Target::format) > 0) {
        drawn.cells = cells_of_each(cases);
        options.errors.push_back(&drawn.cells);
    }
    if (!has_figure(arguments)) return;
    if (arguments.command == "compare")
        options.evidence = &drawn.evidence;
    else
        options.errors.push_back(&drawn.errors);
}

// Throws InputError if there are no rows to show.
void draw_figure(std::span<const DrawnReport> all, const io::Results& results, const Target& target,
                 const Arguments& arguments) {
    for (const DrawnReport& one : all)
        if (one.errors.columns() == 0 && one.evidence.pairs.empty())
            throw InputError(one.label +
                             ": a figure needs rows of the shape that the config asks for, and "
                             "there are none; the text output says what was found instead");
    const bool of_dump = arguments.command == "compare";
    plots::Figure figure = of_dump ? plots::compared_figure(all, results.required)
                                   : plots::precision_figure(all, results.required);
    if (of_dump && all.size() > 1)
        figure.subtitle = file_names(all.front().report.subject.origin) + " · " + figure.subtitle;
    deliver_figure(figure, target, arguments);
}

void draw_page(std::span<const DrawnReport> all, std::span<const Case> cases,
               const io::Results& results, const Target& target, const Arguments& arguments) {
    const std::string title = title_of(all, arguments);
    const auto layers = mapped<io::NamedModel>(
        cases, [](const Case& one) { return io::NamedModel{one.layers, one.resolved.spec}; });
    deliver_page({.title = "rope-check: " + title,
                  .summary = title + ": " + io::headline(results),
                  .json = io::page_json(
                      explorer_of(layers, arguments, results.reports.front().subject.context), all,
                      results)},
                 target, arguments);
}

// The report of one subject, with the origins of its Spec.
Report report_of(const Case& one, const SessionOptions& options) {
    Report report = one.judge(options);
    report.origins = one.resolved.origins;
    report.ignored = one.resolved.ignored;
    report.subject.layers = one.layers;
    report.subject.layer_numbers = one.layer_numbers;
    report.layer = one.layer;
    report.identity = one.identity;
    if (!one.identity.empty() && !rotate_alike(report.spec, one.resolved.spec))
        report.identity = io::fitted_identity(report);
    return report;
}

std::vector<Report> judge_all(std::span<const Case> cases, SessionOptions options,
                              std::span<DrawnReport> drawn, const Arguments& arguments) {
    (void)begin_stage(arguments, "checking");
    std::vector<Report> reports;
    for (const Case& one : cases) {
        options.tasks = begin_part(arguments, reports.size(), cases.size());
        collect(drawn[reports.size()], cases.size(), arguments, options);
        reports.push_back(report_of(one, options));
    }
    take_offsets_of_one(reports);
    return reports;
}

// The results without reports: required claims and lint.
io::Results asked_results(std::span<const Case> cases, const SessionOptions& options,
                          const Arguments& arguments, io::SubjectWords dump) {
    dump.config = config_words(arguments);
    dump.can_repeat_config =
        !names_several(arguments) &&
        std::ranges::none_of(arguments.configs, io::is_stream, &io::Flag::value);
    io::Results results{.required = required_claims(arguments, options)};
    results.text = {.quiet = arguments.has("--quiet"),
                    .verbose = arguments.has("--verbose"),
                    .dump = std::move(dump)};
    results.strict = arguments.has("--strict");
    add_lint(results.lint, cases);
    return results;
}

// Rows of a model with several position axes may be an image's. Without their ids, values that only
// other positions explain are not a fault.
void require_position_ids(const std::vector<Report>& reports) {
    const auto is_open = [](const Report& one) {
        const Assumption* read = find_assumption(one.subject.read_as, "positions");
        const auto is_of_positions = [&](const Explanation& each) {
            const bool is_of_axes = find_value(each.parameters, "axes") != nullptr;
            // behind images, text is at positions before its slots of the cache
            const auto offset = number_in(each.parameters, "offset");
            const bool is_before_slot = offset && *offset < 0 && !read->value.starts_with("0");
            return each.mistake == "position-source" ||
                   (is_before_slot && each.mistake == "position-offset") ||
                   (is_of_axes && each.mistake.starts_with("position-"));
        };
        return axis_count(one.spec.axes) > 1 && exit_code(one, {}) == 1 && read != nullptr &&
               read->are_row_numbers && std::ranges::all_of(one.diagnosis, is_of_positions);
    };
    if (reports.empty() || !std::ranges::all_of(reports, is_open)) return;
    const std::string axes = decimal(axis_count(reports.front().spec.axes));
    throw InputError(reports.front().subject.origin + ": the config's positions have " + axes +
                     " axes, the file has no ids of its rows on them, and the values are not "
                     "those of text; pass the positions of the rows as "
                     "position_ids or with --positions, such as [" +
                     axes + ", rows]");
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
    options.seed = arguments.whole("--seed").value_or(options.seed);
    options.threads = threads_asked(arguments);
    return options;
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

int judge_and_report(std::span<const Case> cases, const Arguments& arguments,
                     io::SubjectWords dump) {
    const SessionOptions options = session_options(arguments);
    io::Results results = asked_results(cases, options, arguments, std::move(dump));
    const auto start = std::chrono::steady_clock::now();
    std::vector<DrawnReport> drawn(cases.size());
    results.reports = judge_all(cases, options, drawn, arguments);
    require_position_ids(results.reports);
    if (arguments.reports != nullptr) {
        for (Report& report : results.reports) arguments.reports->push_back(std::move(report));
        return 0;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (const auto file = arguments.value("--baseline"))
        results.drift = drift_from(*file, results.reports, arguments);
    const int code = io::exit_code(results);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        drawn[k].report = results.reports[k];
        drawn[k].label = label_of(cases[k], arguments, drawn[k].report);
    }
    const auto verdict = [&] { return code == 2 ? "" : verdict_of(results); };
    deliver_each(arguments, verdict, [&](const Target& target) {
        if (!is_drawn(target.format))
            deliver_results(results, target, arguments);
        else if (code == 2)
            return;  // nothing was checked
        else if (target.format == "html")
            draw_page(drawn, cases, results, target, arguments);
        else
            draw_figure(drawn, results, target, arguments);
    });
    if (stderr_is_terminal() && !results.text.quiet)
        say(fmt::format("checked in {:.2f} s", seconds.count()));
    if (code == 2) throw InputError(io::nothing_checked(results));
    return code;
}

}  // namespace rope::cli
