#include "io/render/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/render/accuracy_text.hpp"
#include "io/render/command_line.hpp"
#include "io/render/finding_text.hpp"
#include "io/text/number_text.hpp"
#include "io/text/wrapped.hpp"
#include "rope/readings/readings.hpp"
#include "rope/report/report.hpp"

namespace rope::io {
namespace {

bool is_claim(const Finding& finding) { return finding.kind == Kind::claim; }

using Required = std::vector<std::string>;

bool is_failure(const Finding& finding, const Required& required) {
    return finding.verdict == Verdict::violated && gates(finding, required);
}

std::size_t widest_check(const Report& report, const Required& required) {
    std::size_t width = 0;
    for (const Finding& finding : report.findings)
        if (gates(finding, required)) width = std::max(width, finding.check.size());
    return width;
}

// A cosine and a sine for each pair that the subject says something of.
std::string judged_of(std::uint64_t values, std::uint64_t left_out) {
    return (left_out > 0 ? grouped(values - 2 * left_out) + " of " : "") + grouped(values);
}

// " · 8,388,608 values · all 17,179,869,184 position pairs", " · 200 of 6,400 values · …"
std::string how_much(const Report& report) {
    std::string text;
    if (const Finding* table = find_finding(report, "table-accuracy"); table && table->samples > 0)
        text += " · " + judged_of(table->samples, report.subject.left_out) + " values";
    const Finding* relative = find_finding(report, "relative-position");
    if (relative == nullptr) return text;
    auto pairs = finding_field<std::uint64_t>(*relative, "position_pairs");
    if (const auto own = finding_field<std::uint64_t>(*relative, "distinct_positions"))
        pairs = *own * *own;  // heads at one position are one
    if (pairs > 0U) text += " · all " + grouped(*pairs) + " position pairs";
    return text;
}

// "9 checks hold", "1 of 9 checks violated"
std::string outcome_of(std::uint32_t hold, std::uint32_t violated, std::string_view what) {
    const std::uint32_t all = hold + violated;
    const std::string counted = fmt::format("{} {}{}", all, what, all == 1 ? "" : "s");
    if (violated > 0) return fmt::format("{} of {} violated", violated, counted);
    return fmt::format("{} hold{}", counted, hold == 1 ? "s" : "");
}

// " · 1 of 2 required claims violated", empty where none is required
std::string outcome_of_claims(const Report& report, const Required& required) {
    std::uint32_t hold = 0, violated = 0;
    for (const Finding& finding : report.findings) {
        if (!is_claim(finding) || !gates(finding, required)) continue;
        hold += finding.verdict == Verdict::holds ? 1 : 0;
        violated += finding.verdict == Verdict::violated ? 1 : 0;
    }
    return hold + violated == 0 ? "" : " · " + outcome_of(hold, violated, "required claim");
}

std::string claims_group(const Report& report, bool verbose) {
    std::string lines;
    for (const Finding& finding : report.findings)
        if (is_claim(finding)) lines += claim_text(finding, report.subject, verbose);
    if (lines.empty()) return "";
    const Summary sum = summarize(report);
    const std::uint32_t all = sum.claims_hold + sum.claims_violated;
    std::string text =
        all == 0 ? "no published statement about decay applies to these parameters"
        : sum.claims_hold == 0
            ? fmt::format(
                  "none of {} published statements about decay holds for these "
                  "parameters, as for most models",
                  all)
            : fmt::format("{} of {} published statement{} about decay {} for these parameters",
                          sum.claims_hold, all, all == 1 ? "" : "s",
                          sum.claims_hold == 1 ? "holds" : "hold");
    // who asks for claims alone wants to read them
    const bool are_listed = verbose || std::ranges::all_of(report.findings, is_claim);
    if (!are_listed) text += " (--verbose lists them)";
    return "\n" + hanging("claims:   ", text) + (are_listed ? lines : "") + "\n";
}

// A wrong base, layout, direction, exponent or offset passes every law.
std::string blind_laws_note(const Report& report) {
    const auto violated = [&](Kind kind) {
        return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& f) {
            return f.kind == kind && f.verdict == Verdict::violated;
        });
    };
    const bool checked_a_law = std::any_of(
        report.findings.begin(), report.findings.end(),
        [](const Finding& f) { return f.kind == Kind::law && f.verdict == Verdict::holds; });
    if (!report.subject.pipeline.empty()) return "";  // its fault is known
    if (!checked_a_law || violated(Kind::law) || !violated(Kind::conformance)) return "";
    if (is_marginal(report)) return "";
    return "note: every law holds, so this is a rotary embedding, but not the expected one: laws "
           "do not detect a wrong base, layout, direction or offset\n";
}

// Where laws alone were judged, though the run asked for more: float32 carries no farther.
std::string carried_text(const Report& report) {
    std::optional<std::uint64_t> carried_to;
    bool asked = false;
    for (const Finding& finding : report.findings) {
        if (finding.kind != Kind::conformance) continue;
        if (finding.verdict != Verdict::not_applicable) return "";
        asked = true;
        if (!carried_to) carried_to = finding_field<std::uint64_t>(finding, "carried_to");
    }
    if (!asked || summarize(report).holds == 0) return "";
    if (carried_to && report.subject.nearest_position <= static_cast<double>(*carried_to))
        return ", and the Spec's angles to position " + grouped(*carried_to);
    return ", none of them by the Spec's angles";
}

std::string resolved_group(const Report& report) {
    std::string lines;
    for (const Origin& origin : report.origins)
        lines += fmt::format("     {} from {}\n", origin.field, printable(origin.from));
    return lines;
}

// "read as: cache_layout half (rotary_dim/2 columns) · axes sd (shape [50, 32]) · …"
// "defaults: pipeline bf16-table (rope-check.toml:2) · …"
std::string assumed_line(std::string_view title, std::span<const Assumption> assumed) {
    if (assumed.empty()) return "";
    return wrapped(fmt::format("{}: {}", title, assumed_text(assumed)), title.size() + 2);
}

std::string read_as_line(const Subject& subject) {
    std::vector<Assumption> read_as = subject.read_as;
    std::erase_if(read_as, [](const Assumption& one) {
        return one.what == "other_axes" || one.what == "rounded_positions" ||
               one.what == "not_read";
    });
    return assumed_line("read as", read_as);
}

// "not read: x, y, offset (the file's other arrays: …)"
std::string not_read_line(const Subject& subject) {
    const auto left = std::ranges::find(subject.read_as, "not_read", &Assumption::what);
    if (left == subject.read_as.end()) return "";
    return wrapped("not read: " + printable(left->value, 1000) + " (" + left->from + ")", 10);
}

std::string doubt_note(const Report& report) {
    const std::string doubt = doubt_of(report.subject);
    return doubt.empty() ? "" : wrapped("note: " + doubt, 6);
}

// "512x the allowance"
std::string ratio_text(double ratio) {
    return std::isfinite(ratio) ? brief(ratio) + "x the allowance"
                                : "not defined (values are not finite, or rows or dimensions are "
                                  "read otherwise)";
}

std::string explanation_text(const Explanation& one) {
    std::string text = fmt::format("  {:<19}{}\n", one.mistake, printable(one.what, 1000));
    text += fmt::format("     worst error: {}; with this corrected, {}\n", ratio_text(one.before),
                        ratio_text(one.after));
    for (const std::string& name : one.equivalent)
        text += fmt::format("     equivalent: {}\n", printable(name, 1000));
    for (const std::string& name : one.also_fits)
        text += fmt::format("     the data cannot tell it from: {}\n", printable(name, 1000));
    return text + fmt::format("     usual cause: {}\n", cause_of(one));
}

std::string diagnosis_group(const Report& report) {
    if (report.diagnosis.empty() && report.observations.empty()) return "";
    std::string text =
        report.diagnosis.empty()
            ? "\ndiagnosis: no known mistake explains every value; observations:\n"
        : report.diagnosis.size() > 1
            ? fmt::format("\ndiagnosis: {} combined mistakes\n", report.diagnosis.size())
            : "\ndiagnosis:\n";
    for (const Explanation& one : report.diagnosis) text += explanation_text(one);
    for (const std::string& fact : report.observations)
        text += fmt::format("     {}\n", printable(fact, 1000));
    return text + "\n";
}

}  // namespace

std::string outcome_line(const Report& report, const Required& required) {
    const Summary sum = summarize(report);
    const std::string checks = sum.holds + sum.violated == 0
                                   ? "no law and no conformance check applied"
                                   : outcome_of(sum.holds, sum.violated, "check");
    return checks + carried_text(report) + outcome_of_claims(report, required) + how_much(report);
}

std::string report_text(const Report& report, const TextOptions& options,
                        const Required& required) {
    const std::size_t width = widest_check(report, required);
    std::string text;
    if (!report.identity.empty())
        text += "identified: " + printable(report.identity, 4096) + "\n\n";
    if (!options.quiet) text += accuracy_text(report);
    for (const Finding& finding : report.findings)
        if (is_failure(finding, required))
            text += failure_text(finding, report, width) +
                    "     reproduce: " + reproducing(report, finding, options.dump) + "\n";
    text += diagnosis_group(report);
    const std::string doubt = doubt_note(report);
    if (options.quiet) return text + doubt + outcome_line(report, required) + "\n";

    for (const Finding& finding : report.findings)
        if (!is_claim(finding) && !is_failure(finding, required))
            text += outcome_text(finding, width, options.verbose);
    text += claims_group(report, options.verbose);
    if (options.verbose) text += resolved_group(report);
    if (!report.spec.reading.empty()) text += reading_sentence(report.spec) + "\n";
    text += read_as_line(report.subject) + not_read_line(report.subject) + doubt;
    text += assumed_line("defaults", report.defaults);
    for (const std::string& note : report.subject.notes)
        text += "note: " + printable(note, 1000) + "\n";
    return text + blind_laws_note(report) + outcome_line(report, required) + "\n";
}

}  // namespace rope::io
