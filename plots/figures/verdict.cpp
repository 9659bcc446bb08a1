#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "plots/figures/figures.hpp"
#include "plots/figures/subject.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"
#include "rope/checks/report.hpp"

namespace rope::plots {

// Three decimals.
std::string position_text(double position) {
    const double whole = position == 0 ? 0 : std::floor(std::log10(std::abs(position))) + 1;
    return significant(position, 3 + static_cast<int>(std::max(whole, 0.0)));
}

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

const Finding* accuracy_of(const Report& report) { return find_finding(report, "table-accuracy"); }

std::optional<double> number_of(const Finding& finding, std::string_view name) {
    if (const auto whole = finding_field<std::uint64_t>(finding, name))
        return static_cast<double>(*whole);
    return finding_field<double>(finding, name);
}

namespace {

// "max-error fails: largest error 7.2×10⁻⁵ exceeds 10⁻⁹", "c3-R1 fails at s = 7"
std::string failed(const Finding& finding) {
    std::string text = finding.check + " fails";
    if (finding.check == "max-error")
        return text + fmt::format(": largest error {} exceeds {}", error_text(finding.observed),
                                  significant(finding.allowed, 2));
    for (const char* name : {"first_violation", "first_rise"})
        if (const auto s = number_of(finding, name)) return text + " at s = " + position_text(*s);
    return text;
}

std::string passed(const Report& report, const RequiredClaims& required) {
    std::vector<std::string> names;
    for (const Finding& finding : report.findings)
        if (finding.verdict == Verdict::holds && gates(finding, required))
            names.push_back(finding.check);
    if (names.empty()) return "not checked";
    return names_of(names) + (names.size() == 1 ? " passes" : " pass");
}

Verdict verdict_of(const Report& report, const RequiredClaims& required) {
    constexpr Verdict verdicts[] = {Verdict::holds, Verdict::violated, Verdict::not_applicable};
    return verdicts[exit_code(report, required)];
}

std::string verdicts(std::span<const DrawnReport> reports, const RequiredClaims& required) {
    const std::string all = grouped(reports.size()) + " subjects",
                      first = verdict_line(reports.front().report, required);
    if (reports.size() == 1) return first;
    std::vector<std::string> failing;
    std::vector<Quantity> errors;  // of the passing ones
    std::size_t alike = 0, passed = 0;
    for (const DrawnReport& one : reports) {
        const std::string line = verdict_line(one.report, required);
        const Verdict verdict = verdict_of(one.report, required);
        const Finding* accuracy = accuracy_of(one.report);
        const auto error = accuracy ? number_of(*accuracy, "worst_error") : std::nullopt;
        alike += line == first ? 1 : 0;
        passed += verdict == Verdict::holds ? 1 : 0;
        if (verdict == Verdict::holds && error)
            errors.push_back({*error, error_text(*error), one.label});
        if (verdict == Verdict::violated) failing.push_back(line + " (" + one.label + ")");
    }
    if (passed == reports.size())
        return "all " + all + " pass" +
               (errors.size() < passed
                    ? ""
                    : ", largest error " + extremes(std::move(errors), "with", ", "));
    if (alike == reports.size()) return first + ", in all " + all;
    constexpr std::size_t most = 2;  // in a title
    std::string text = failing.size() > most ? "" : join(failing, {}, "; ");
    const auto count = [&](std::size_t some, const char* of_one, const char* of_several) {
        if (some > 0)
            text += fmt::format("{}{} of {} {}", text.empty() ? "" : "; ", some, all,
                                some == 1 ? of_one : of_several);
    };
    if (text.empty()) count(failing.size(), "fails", "fail");
    count(passed, "passes", "pass");
    count(reports.size() - failing.size() - passed, "is not applicable", "are not applicable");
    return text;
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
    const Finding* accuracy = accuracy_of(report);
    if (!report.diagnosis.empty())
        return with_typeset_numbers(join(report.diagnosis, &Explanation::what, "; "));
    std::vector<std::string> failures;
    for (const Finding& finding : report.findings)
        if (finding.verdict == Verdict::violated && gates(finding, required))
            failures.push_back(failed(finding));
    if (!failures.empty() && (!accuracy || accuracy->verdict != Verdict::violated))
        return names_of(failures);
    if (!accuracy) return passed(report, required);
    if (!accuracy->note.empty()) return with_typeset_numbers(accuracy->note);
    if (accuracy->verdict == Verdict::not_applicable) return "not applicable";
    const auto error = number_of(*accuracy, "worst_error");
    const std::string largest = error ? "largest error " + error_text(*error) : "";
    if (accuracy->verdict == Verdict::holds)
        return largest.empty() ? "passes" : "passes, " + largest;
    return fmt::format(
        "{}; {} of {} values exceed their tolerance",
        report.observations.empty() ? largest : with_typeset_numbers(first_observation(report)),
        grouped(accuracy->violations ? accuracy->violations->count : 0),
        grouped(accuracy->samples));
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
