#include <fmt/format.h>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {

std::string position_text(double position) { return significant(position, 10); }

std::string error_text(double error) {
    return std::isfinite(error) ? significant(error, 2) : "not finite";
}

double place_of(double position, const PositionParts& parts) {
    return parts.scale == PositionScale::listed ? static_cast<double>(parts.column_of(position))
                                                : std::clamp(position, parts.first, parts.last);
}

double middle_of(double position, const PositionParts& parts) {
    const std::size_t column = parts.column_of(position);
    if (parts.scale == PositionScale::listed) return static_cast<double>(column) + 0.5;
    const double from = std::max(parts.edges[column], parts.first), to = parts.edges[column + 1];
    return place_of(to - from > 1 ? position : (from + to) / 2, parts);
}

Axis position_axis(const PositionParts& positions, const std::string& label) {
    const double first = positions.first, last = positions.last;
    if (positions.scale == PositionScale::listed) {
        Axis axis{label, Scale::linear, first, last, {}};
        for (std::size_t k = 0; k + 1 < positions.edges.size(); ++k)
            axis.ticks.push_back({static_cast<double>(k) + 0.5, position_text(positions.edges[k])});
        return axis;
    }
    const bool is_linear = positions.scale == PositionScale::linear;
    Axis axis{label, is_linear ? Scale::linear : Scale::log2, first, last,
              is_linear ? decimal_ticks(first, last, 9, true)
                        : power_of_two_ticks(std::max(first, 1.0), last, 12)};
    if (!is_linear && first < 1) axis.ticks.insert(axis.ticks.begin(), {0, "0"});
    std::erase_if(axis.ticks, [&](const Tick& tick) { return tick.value >= last; });
    // at the point of the position's column
    for (Tick& tick : axis.ticks) tick.value = middle_of(tick.value, positions);
    return axis;
}

std::optional<double> number_of(const Finding& finding, std::string_view name) {
    if (const auto whole = finding_field<std::uint64_t>(finding, name))
        return static_cast<double>(*whole);
    return finding_field<double>(finding, name);
}

namespace {

// "rope_theta is 10000 instead of 500000 (k); 2 of 3 subjects pass"
std::string verdicts(std::span<const DrawnReport> reports, const RequiredClaims& required) {
    if (reports.size() == 1) return verdict_line(reports.front().report, required);
    std::map<std::string, std::vector<std::string>> others;  // labels by verdict
    std::size_t passed = 0;
    for (const DrawnReport& one : reports)
        if (exit_code(one.report, required) == 0)
            ++passed;
        else
            others[verdict_line(one.report, required)].push_back(one.label);
    constexpr std::size_t most = 2;  // in a title
    std::string text;
    for (const auto& [line, labels] : others)
        if (others.size() <= most) text += line + " (" + names_of(labels) + "); ";
    const std::string all = grouped(reports.size()) + " subjects pass";
    return text + (passed == reports.size() ? "all " : grouped(passed) + " of ") + all;
}

// The text with a capital letter, unless it begins with a name such as rope_theta.
std::string capitalized(std::string text) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto end = std::ranges::find_if_not(text, is_letter);
    if (end != text.begin() && (end == text.end() || *end == ' ' || *end == ','))
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

}  // namespace

std::string verdict_line(const Report& report, const RequiredClaims& required) {
    const std::vector<std::string> causes = causes_of(report, required);
    if (!causes.empty())
        return with_typeset_numbers(report.diagnosis.empty() ? causes.front()
                                                             : join(causes, {}, "; "));
    const Finding* accuracy = find_finding(report, "table-accuracy");
    if (accuracy && !accuracy->note.empty()) return with_typeset_numbers(accuracy->note);
    std::vector<std::string> passed;
    for (const Finding& finding : report.findings)
        if (finding.verdict == Verdict::holds && gates(finding, required))
            passed.push_back(finding.check);
    if (passed.empty()) return accuracy ? "not applicable" : "not checked";
    const auto error = accuracy ? number_of(*accuracy, "worst_error") : std::nullopt;
    if (error) return "passes, largest error " + error_text(*error);
    return names_of(passed) + (passed.size() == 1 ? " passes" : " pass");
}

Figure figure_of_reports(std::span<const DrawnReport> all, const RequiredClaims& required,
                         std::string description) {
    std::vector<NamedSpec> specs;
    for (const DrawnReport& one : all) specs.push_back({one.label, one.report.spec});
    Figure figure = figure_of(specs, std::move(description));
    figure.title = capitalized(verdicts(all, required));
    if (all.size() == 1) figure.subtitle = all.front().label + " · " + figure.subtitle;
    return figure;
}

}  // namespace rope::plots
