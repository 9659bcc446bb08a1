#include "cli/command/drawn_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/plot/plotting.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "plots/judged/judged.hpp"

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

void refuse_rowless(bool has_rows, const std::string& label) {
    if (has_rows) return;
    throw InputError(label +
                     ": a figure needs rows of the shape that the config asks for, and "
                     "there are none; the text output says what was found instead");
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

std::vector<MappedReport> mapped(std::span<const Case> cases, std::span<const Report> reports,
                                 std::span<const ErrorMap> maps, const Arguments& arguments) {
    std::vector<MappedReport> all;
    for (std::size_t k = 0; k < reports.size(); ++k)
        all.push_back({label_of(cases[k], arguments, reports[k]), reports[k], maps[k]});
    return all;
}

}  // namespace

Drawing::Drawing(std::size_t cases, Drawn drawn, const Arguments& arguments)
    : arguments_(arguments), drawn_(drawn) {
    if (drawn == Drawn::none || arguments.reports != nullptr) return;
    const std::vector<Target> targets = report_targets(arguments);
    const bool has_figure = !figures_among(targets).empty();
    if (has_figure && drawn == Drawn::precision) maps_.resize(cases);
    if (has_figure && drawn == Drawn::comparison) evidence_.resize(cases);
    if (std::ranges::count(targets, "html", &Target::format) > 0)
        cells_.assign(cases, cells_of_each(cases));
}

void Drawing::collect(std::size_t k, SessionOptions& options) {
    options.errors.clear();
    if (!maps_.empty()) options.errors.push_back(&maps_[k]);
    if (!cells_.empty()) options.errors.push_back(&cells_[k]);
    if (!evidence_.empty()) options.evidence = &evidence_[k];
}

void Drawing::deliver(std::span<const Case> cases, const io::Results& results,
                      const Target& target) const {
    if (target.format == "html")
        deliver_page(cases, results, target);
    else
        deliver_figure(cases, results, target);
}

void Drawing::deliver_figure(std::span<const Case> cases, const io::Results& results,
                             const Target& target) const {
    if (drawn_ == Drawn::precision) {
        const std::vector<MappedReport> all = mapped(cases, results.reports, maps_, arguments_);
        for (const MappedReport& one : all) refuse_rowless(one.errors.columns() > 0, one.label);
        (void)cli::deliver_figure(plots::precision_figure(all), {&target, 1}, arguments_);
        return;
    }
    std::vector<ComparedReport> all;
    for (std::size_t k = 0; k < results.reports.size(); ++k) {
        const Report& report = results.reports[k];
        all.push_back({label_of(cases[k], arguments_, report), report, evidence_[k]});
        refuse_rowless(!evidence_[k].pairs.empty(), all.back().label);
    }
    plots::Figure figure = plots::compared_figure(all);
    if (all.size() > 1)
        figure.subtitle = file_name(all.front().report.subject.origin) + " · " + figure.subtitle;
    (void)cli::deliver_figure(std::move(figure), {&target, 1}, arguments_);
}

void Drawing::deliver_page(std::span<const Case> cases, const io::Results& results,
                           const Target& target) const {
    const std::vector<MappedReport> subjects = mapped(cases, results.reports, cells_, arguments_);
    const std::string title = title_of(subjects, arguments_);
    cli::deliver_page(
        {.title = "rope-check: " + title,
         .summary = title + ": " + io::headline(results),
         .json = io::page_json(explorer_of(cases.front().resolved.spec, subject_name(arguments_),
                                           results.reports.front().subject.context),
                               subjects, results)},
        target, arguments_);
}

}  // namespace rope::cli
