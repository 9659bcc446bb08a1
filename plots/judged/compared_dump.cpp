#include "plots/judged/compared_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/judged/pair_panels.hpp"
#include "plots/judged/row_panel.hpp"
#include "plots/judged/verdict.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {
namespace {

std::vector<std::string> notes_of(std::span<const ComparedReport> compared) {
    std::vector<std::string> notes = {
        "Fitted: the line through the angles of each pair in the sampled rows; a pair without a "
        "dot tells none. Faint: its standard error. An error is the distance of (cos, sin) from "
        "its place over what rounding allows there: up to 1 is explained."};
    const auto has_infinite = [](const ComparedReport& one) {
        return std::ranges::any_of(one.evidence.pairs,
                                   [](const PairEvidence& p) { return std::isinf(p.error); }) ||
               std::ranges::any_of(one.evidence.rows.worst,
                                   [](float error) { return std::isinf(error); });
    };
    if (std::ranges::any_of(compared, has_infinite))
        notes.push_back("What is not finite is drawn as " + significant(largest_drawn, 2) +
                        "; in cells it is crimson.");
    return notes;
}

void add_panels(Figure& figure, const ComparedReport& one) {
    std::vector<Panel> panels = pair_panels(one);
    if (one.evidence.rows.columns() > 0) panels.push_back(row_panel(one.evidence.rows));
    for (Panel& panel : panels) figure.panels.push_back(std::move(panel));
}

}  // namespace

Figure compared_figure(std::span<const ComparedReport> compared) {
    Figure figure;
    figure.description =
        "For each subject: the frequency of each pair as asked and as fitted to the dump, how far "
        "the two are apart, the errors of each pair against both, and the error of every row over "
        "its position.";
    figure.notes = notes_of(compared);
    figure.columns = 2;
    std::vector<NamedSpec> specs;
    std::vector<const Report*> reports;
    for (const ComparedReport& one : compared) {
        specs.push_back({one.label, one.report.spec});
        reports.push_back(&one.report);
        const std::size_t first = figure.panels.size();
        add_panels(figure, one);
        if (compared.size() == 1) continue;
        figure.panels[first].subtitle = verdict_line(one.report);
        for (Panel& panel : std::span(figure.panels).subspan(first))
            panel.title = one.label + " · " + panel.title;
    }
    figure.subtitle = shared_parameters(specs);
    figure.parameters = parameters(specs);
    figure.title = compared.size() == 1
                       ? compared.front().label + ": " + verdict_line(compared.front().report)
                       : verdicts(reports);
    return figure;
}

}  // namespace rope::plots
