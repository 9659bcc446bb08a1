#include "plots/figures/precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "base/grouped.hpp"
#include "base/text.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/parts/ticks.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {
namespace {

const Finding* accuracy_of(const Report& report) {
    const auto found = std::ranges::find(report.findings, "table-accuracy", &Finding::check);
    return found == report.findings.end() ? nullptr : &*found;
}

const FieldValue* field_of(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.fields, name, &Field::name);
    return found == finding.fields.end() ? nullptr : &found->value;
}

std::optional<double> number_of(const Finding& finding, std::string_view name) {
    const FieldValue* value = field_of(finding, name);
    if (!value) return std::nullopt;
    if (const auto* whole = std::get_if<std::uint64_t>(value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(value)) return *real;
    return std::nullopt;
}

std::string position_text(double position) { return significant(position, 10); }

// On the x axis, where a position's column begins.
double place_of(double position, const PositionParts& parts) {
    const double size = std::abs(position);
    return parts.scale == PositionScale::listed ? static_cast<double>(parts.column_of(size))
                                                : std::clamp(size, parts.first, parts.last);
}

// In the middle of the column where it is of one position.
double middle_of(double position, const PositionParts& parts) {
    const std::size_t column = parts.column_of(std::abs(position));
    const double from = parts.edges[column], to = parts.edges[column + 1];
    if (parts.scale == PositionScale::listed) return static_cast<double>(column) + 0.5;
    return to - from > 1 ? place_of(position, parts) : place_of((from + to) / 2, parts);
}

// A line where errors first exceed a limit.
void add_rule(Panel& panel, const PositionParts& parts, std::optional<double> position,
              const std::string& limit) {
    if (!position) return;
    panel.rules.push_back(
        {place_of(*position, parts), limit + " from " + position_text(*position)});
}

void ring_worst(Panel& panel, const PositionParts& parts, const Finding& accuracy) {
    const auto error = number_of(accuracy, "worst_error");
    const auto position = number_of(accuracy, "worst_error_position");
    const auto pair = number_of(accuracy, "worst_error_pair");
    if (!error || !position || !pair) return;
    panel.markers.push_back({middle_of(*position, parts), *pair,
                             fmt::format("worst {} at {}, pair {}", significant(*error, 2),
                                         position_text(*position), position_text(*pair))});
}

Axis position_axis(const PositionParts& positions) {
    const double first = positions.first, last = positions.last;
    if (positions.scale == PositionScale::listed) {
        Axis axis{"position", Scale::linear, first, last, {}};
        for (std::size_t k = 0; k + 1 < positions.edges.size(); ++k)
            axis.ticks.push_back({static_cast<double>(k) + 0.5, position_text(positions.edges[k])});
        return axis;
    }
    if (positions.scale == PositionScale::linear)
        return {"position", Scale::linear, first, last, decimal_ticks(first, last, 9)};
    return {"position", Scale::log2, first, last, power_of_two_ticks(first, last, 12)};
}

Axis pair_axis(const ErrorMap& errors) {
    const auto rows = static_cast<double>(errors.rows());
    const double step = std::max(1.0, static_cast<double>(std::bit_ceil(errors.pairs)) / 8);
    return {"pair i", Scale::linear, -0.5, rows * errors.pairs_per_row - 0.5,
            multiples(step, errors.pairs - 1.0)};
}

// Two ranges of colours, so that figures can be held side by side: to float32's last unit, and to
// float64's.
double least_color(const ErrorMap& errors) {
    const auto is_seen = [](float error) { return error > 1e-8F; };
    return std::ranges::any_of(errors.worst, is_seen) ? 1e-8 : 1e-17;
}

Heatmap heatmap_of(const ErrorMap& errors) {
    Heatmap heatmap{errors.positions.edges, errors.positions.columns, {}, errors.worst};
    for (std::uint32_t first = 0; first < errors.pairs; first += errors.pairs_per_row)
        heatmap.rows.push_back(
            "pair " + range(first, std::min(first + errors.pairs_per_row, errors.pairs) - 1));
    heatmap.low = least_color(errors);
    heatmap.label = "|error|";
    return heatmap;
}

Panel panel_of(const MappedReport& mapped) {
    Panel panel;
    panel.title = mapped.label;
    panel.subtitle = verdict_line(mapped.report);
    panel.x = position_axis(mapped.errors.positions);
    panel.y = pair_axis(mapped.errors);
    panel.heatmap = heatmap_of(mapped.errors);
    const Finding* accuracy = accuracy_of(mapped.report);
    if (!accuracy) return panel;
    const PositionParts& parts = mapped.errors.positions;
    add_rule(panel, parts, number_of(*accuracy, "first_beyond_1e-3"), "beyond 10⁻³");
    if (accuracy->violations)
        add_rule(panel, parts, accuracy->violations->first_position, "beyond its allowance");
    ring_worst(panel, parts, *accuracy);
    return panel;
}

std::string diagnosed(const Report& report) {
    return join(report.diagnosis, &Explanation::what, "; ");
}

// "3 subjects: 2 sound, 1 violated", or what is said of all of them
std::string summary(std::span<const MappedReport> reports) {
    std::string text = grouped(reports.size()) + " subjects";
    const std::string first = verdict_line(reports.front().report);
    if (std::ranges::all_of(reports, [&](const MappedReport& mapped) {
            return verdict_line(mapped.report) == first;
        }))
        return text + ": " + first;
    const char* separator = ":";
    constexpr std::pair<Verdict, std::string_view> words[] = {
        {Verdict::holds, "sound"},
        {Verdict::violated, "violated"},
        {Verdict::not_applicable, "not applicable"}};
    for (const auto& [verdict, word] : words) {
        const auto count = std::ranges::count_if(reports, [&](const MappedReport& mapped) {
            const Finding* accuracy = accuracy_of(mapped.report);
            return (accuracy ? accuracy->verdict : Verdict::not_applicable) == verdict;
        });
        if (count > 0) text += fmt::format("{} {} {}", std::exchange(separator, ","), count, word);
    }
    return text;
}

}  // namespace

std::string verdict_line(const Report& report) {
    const Finding* accuracy = accuracy_of(report);
    if (!report.diagnosis.empty()) return diagnosed(report);
    if (!accuracy) return "not judged";
    if (!accuracy->note.empty()) return accuracy->note;
    if (accuracy->verdict == Verdict::not_applicable) return "not applicable";
    const FieldValue* like = field_of(*accuracy, "like");
    const auto k = number_of(*accuracy, "K");
    std::string arithmetic = like ? std::get<std::string>(*like) : "";
    if (k) arithmetic += fmt::format(" (K {})", significant(*k, 2));
    if (accuracy->verdict == Verdict::holds) return "sound, " + arithmetic;
    return fmt::format("{} of {} values exceed their allowance: {}",
                       grouped(accuracy->violations ? accuracy->violations->count : 0),
                       grouped(accuracy->samples),
                       report.observations.empty() ? arithmetic : report.observations.front());
}

Figure precision_figure(std::span<const MappedReport> reports) {
    Figure figure;
    figure.title = summary(reports);
    figure.description =
        "Cells over position and pair, coloured by the largest error of cos and sin in each. Lines "
        "mark the first position beyond a limit, a ring the worst error.";
    figure.notes = {
        "Colour: the larger error of cos and sin beside the exact value, the greatest in each cell "
        "of positions and pairs; crimson where it is not finite."};
    std::vector<NamedSpec> specs;
    for (const MappedReport& mapped : reports) {
        specs.push_back({mapped.label, mapped.report.spec});
        figure.panels.push_back(panel_of(mapped));
    }
    figure.subtitle = shared_parameters(specs);
    figure.parameters = parameters(specs);
    if (reports.size() != 1) return figure;
    // alone, its verdict is the title
    Panel& panel = figure.panels.front();
    figure.title = panel.title + ": " + panel.subtitle;
    panel.title = "Error over position and pair";
    panel.subtitle = "judged: " + reports.front().report.subject.origin;
    return figure;
}

}  // namespace rope::plots
