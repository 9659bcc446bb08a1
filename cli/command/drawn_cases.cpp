#include "cli/command/drawn_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/plot/plotting.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "plots/judged/judged.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::cli {
namespace {

// What sets the subject apart: "llama-3.1-8b, full_attention, bf16-angles".
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
        add(file_name(report.subject.origin));
    return label;
}

// The map has no columns where the subject has no rows to compare with the exact ones.
MappedReport mapped(const Case& one, const Arguments& arguments, SessionOptions options,
                    ErrorMap asked = {}) {
    MappedReport made{{}, {}, std::move(asked)};
    options.errors = &made.errors;
    made.report = report_of(one, options);
    made.label = label_of(one, arguments, made.report);
    return made;
}

ComparedReport compared(const Case& one, const Arguments& arguments, SessionOptions options) {
    ComparedReport made;
    options.evidence = &made.evidence;
    made.report = report_of(one, options);
    made.label = label_of(one, arguments, made.report);
    return made;
}

[[noreturn]] void refuse_rowless(const std::string& label) {
    throw InputError(label +
                     ": a figure needs rows of the shape that the config asks for, and "
                     "there are none; the text output says what was found instead");
}

// One report after the other, each a part of the progress shown.
template <class Each>
void each_case(std::span<const Case> cases, const Arguments& arguments, SessionOptions options,
               const Each& each) {
    (void)begin_stage(arguments, "drawing");
    for (std::size_t k = 0; k < cases.size(); ++k) {
        options.tasks = begin_part(arguments, k, cases.size());
        each(cases[k], options);
    }
}

// Cells of all subjects together: about 0.8 MB of a page.
ErrorMap cells_of_each(std::size_t subjects) {
    constexpr std::size_t most_rows = 64, fewest_rows = 16, most_cells = 320 * most_rows;
    const std::size_t each = most_cells / std::min(subjects, most_cells / 256);
    const std::size_t rows = std::clamp(each / 64, fewest_rows, most_rows);
    return {.most_parts = each / rows, .most_rows = rows, .keeps_places = true};
}

// "gemma-3-27b, 2 subjects"
std::string title_of(std::span<const MappedReport> subjects, const Arguments& arguments) {
    const MappedReport& first = subjects.front();
    if (subjects.size() == 1) return first.label;
    const std::string name = subject_name(arguments);
    return fmt::format("{}, {} subjects",
                       name.empty() ? file_name(first.report.subject.origin) : name,
                       subjects.size());
}

}  // namespace

void draw_precision(std::span<const Case> cases, const Arguments& arguments) {
    const std::vector<Target> targets = figures_among(report_targets(arguments));
    if (targets.empty()) return;
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.threads = threads_asked(arguments);
    std::vector<MappedReport> reports;
    each_case(cases, arguments, options, [&](const Case& one, const SessionOptions& own) {
        reports.push_back(mapped(one, arguments, own));
        if (reports.back().errors.columns() == 0) refuse_rowless(reports.back().label);
    });
    deliver_figure(plots::precision_figure(reports), targets, arguments);
}

void draw_comparison(std::span<const Case> cases, const Arguments& arguments) {
    const std::vector<Target> targets = figures_among(report_targets(arguments));
    if (targets.empty()) return;
    SessionOptions options;
    options.claims = false;
    options.threads = threads_asked(arguments);
    std::vector<ComparedReport> reports;
    each_case(cases, arguments, options, [&](const Case& one, const SessionOptions& own) {
        reports.push_back(compared(one, arguments, own));
        if (reports.back().evidence.pairs.empty()) refuse_rowless(reports.back().label);
    });
    plots::Figure figure = plots::compared_figure(reports);
    if (reports.size() > 1)
        figure.subtitle =
            file_name(reports.front().report.subject.origin) + " · " + figure.subtitle;
    deliver_figure(std::move(figure), targets, arguments);
}

void write_report_page(std::span<const Case> cases, const Arguments& arguments,
                       const io::SubjectWords& dump) {
    const std::vector<Target> targets = pages_among(report_targets(arguments));
    if (targets.empty()) return;
    const SessionOptions options = session_options(arguments);
    io::Results results = asked_results(cases, options, arguments, dump);
    std::vector<MappedReport> subjects;
    each_case(cases, arguments, options, [&](const Case& one, const SessionOptions& own) {
        subjects.push_back(mapped(one, arguments, own, cells_of_each(cases.size())));
        results.reports.push_back(subjects.back().report);
    });
    const Report& first = subjects.front().report;
    const std::string title = title_of(subjects, arguments);
    deliver_page({.title = "rope-check: " + title,
                  .summary = title + ": " + io::headline(results),
                  .json = io::page_json(
                      explorer_of(first.spec, subject_name(arguments), first.subject.context),
                      subjects, results, ROPE_CHECK_VERSION)},
                 targets, arguments);
}

}  // namespace rope::cli
