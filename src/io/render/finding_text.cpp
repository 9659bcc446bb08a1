#include "io/render/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/text/number_text.hpp"
#include "io/text/wrapped.hpp"

namespace rope::io {
namespace {

// "position 3259, pair 10" or "positions 3, 7"
std::string place(const Witness& worst) {
    std::string text = worst.positions.size() == 1 ? "position " : "positions ";
    for (std::size_t i = 0; i < worst.positions.size(); ++i)
        text += (i > 0 ? ", " : "") + decimal(worst.positions[i]);
    if (worst.pair) text += fmt::format(", pair {}", *worst.pair);
    return text;
}

// "512 times the tolerance 3.9e-3", "1.3 times …", "2.7e6 times …"; "tolerance 0" where a value
// must be exact: a ratio to the error of recovering it from vectors means nothing.
std::string against_tolerance(const Finding& finding) {
    constexpr double exact = 0x1p-40;
    const std::string tolerance = "tolerance " + brief(finding.allowed);
    const double times = finding.observed / finding.allowed;
    if (!std::isfinite(times) || finding.allowed < exact) return tolerance;
    const bool is_short = times < 10 || times >= 1e6;
    return (is_short ? brief(times) : grouped(static_cast<std::uint64_t>(std::round(times)))) +
           " times the " + tolerance;
}

std::string witness_lines(const Witness& worst) {
    const std::string want = significant(worst.want, 9), got = significant(worst.got, 9);
    const std::size_t width = std::max(want.size(), got.size());
    return fmt::format("       want  {:<{}}  {}\n       got   {:<{}}  {}\n", want, width,
                       hexfloat(worst.want), got, width, hexfloat(worst.got));
}

std::string violations_line(const Violations& violations, std::uint64_t samples) {
    return fmt::format("     {} of {} values exceed the tolerance, first at position {}, pair {}\n",
                       grouped(violations.count), grouped(samples),
                       decimal(violations.first_position), violations.first_pair);
}

std::string field_text(const FieldValue& value) {
    struct Visitor {
        std::string operator()(std::monostate) const { return "none"; }
        std::string operator()(std::uint64_t n) const { return decimal(n); }
        std::string operator()(double x) const { return significant(x, 6); }
        std::string operator()(const std::string& text) const { return printable(text); }
    };
    return std::visit(Visitor{}, value);
}

// What --verbose adds: the equation, its source, the check's own fields and the worst place, or a
// claim's first.
std::string details(const Finding& finding) {
    std::string text;
    if (!finding.statement.empty())
        text += "       " + printable(finding.statement) +
                (finding.source.empty() ? "" : "   (" + printable(finding.source) + ")") + "\n";
    for (const Field& field : finding.fields)
        text += fmt::format("       {} {}\n", field.name, field_text(field.value));
    const char* which = finding.kind == Kind::claim ? "       first at " : "       worst at ";
    if (finding.worst) text += which + place(*finding.worst) + "\n" + witness_lines(*finding.worst);
    return text;
}

// "c3-R3" -> "c3[R3: |r̂| decreasing]"; "score-decay" -> "score-decay[B(s) = Σ cos sθ]"
std::string claim_head(const Finding& finding) {
    std::string words = printable(finding.statement);
    for (const Field& field : finding.fields)
        if (field.role == FieldRole::reading) words = field_text(field.value);
    if (words.empty()) return finding.check;
    if (finding.reading.empty()) return finding.check + "[" + words + "]";
    return finding.claim + "[" + finding.reading + ": " + words + "]";
}

// The violation that is the verdict's.
bool is_verdict(const Finding& finding, const Field& field) {
    return field.event == "violation" && finding.verdict == Verdict::violated &&
           std::holds_alternative<std::uint64_t>(field.value);
}

// A rise at 17 -> "first rise at s = 17"; nothing found -> "no rise"
std::string event_text(const Finding& finding, const Field& field) {
    const auto* s = std::get_if<std::uint64_t>(&field.value);
    if (s == nullptr) return "no " + field.event;
    if (field.event != "violation") return fmt::format("first {} at s = {}", field.event, *s);
    const bool has_pair = finding.worst && finding.worst->pair;
    return fmt::format("{} at s = {}{}",
                       is_verdict(finding, field) ? "violated first" : "first violated", *s,
                       has_pair ? fmt::format(" (pair {})", *finding.worst->pair) : "");
}

}  // namespace

std::string cause_of(const Explanation& one) {
    constexpr std::size_t longest = 1000;
    return fmt::format("{} (docs/mistakes.md#{})", printable(one.advice, longest), one.mistake);
}

std::string parameters(const Report& report) {
    const Spec& spec = report.spec;
    std::string text = fmt::format("head_dim={}", spec.head_dim);
    if (spec.rotary_dim != spec.head_dim) text += fmt::format(" rotary_dim={}", spec.rotary_dim);
    if (spec.rotary_offset != 0) text += fmt::format(" rotary_offset={}", spec.rotary_offset);
    if (spec.direction != Direction::forward)
        text += fmt::format(" direction={}", to_string(spec.direction));
    if (spec.layout != PairLayout::half_split)
        text += fmt::format(" layout={}", to_string(spec.layout));
    if (!report.inv_freq.empty()) text += " rope_theta=" + plain(spec.rope_theta);
    if (spec.scaling.rope_type != "default")
        text += " rope_type=" + printable(spec.scaling.rope_type);
    if (spec.scaling.factor) text += " factor=" + plain(*spec.scaling.factor);
    if (!spec.reading.empty()) text += " reading=" + printable(spec.reading);
    const Subject& subject = report.subject;
    if (!subject.pipeline.empty()) text += " pipeline=" + printable(subject.pipeline);
    return text + fmt::format(" positions<{}", subject.context);
}

std::string assumed_text(std::span<const Assumption> assumed) {
    const auto word = [](const Assumption& one) {
        return one.what + (one.value.empty() ? "" : " " + printable(one.value, 1000)) + " (" +
               printable(one.from, 1000) + ")";
    };
    return join(assumed, word, " · ");
}

std::string doubt_of(const Subject& subject) {
    std::vector<std::string> doubts;
    for (const Assumption& one : subject.read_as)
        if (one.what == "other_axes")
            doubts.push_back(printable(one.from, 1000) + ": check it with --axes " + one.value);
        else if (one.what == "rounded_positions")
            doubts.push_back(printable(one.from, 1000));
    return join(doubts, {}, "; and ");
}

std::string error_text(const Finding& finding) {
    return "largest error " + brief(finding.observed) +
           (finding.worst ? " at " + place(*finding.worst) : "") + ", " +
           against_tolerance(finding);
}

std::string failure_text(const Finding& finding, const Report& report, std::size_t width,
                         bool verbose) {
    const std::string head = fmt::format("FAIL {:<{}}   ", finding.check, width);
    std::string text;
    if (finding.kind == Kind::claim) {
        text = head + "claim " + claim_line(finding, report.subject) + "\n";
    } else {
        std::string line = error_text(finding);
        if (finding.worst)
            line += "; want " + significant(finding.worst->want, 9) + ", got " +
                    significant(finding.worst->got, 9);
        text = hanging(head, line);
        if (finding.worst && verbose) text += witness_lines(*finding.worst);
    }
    if (finding.violations) text += violations_line(*finding.violations, finding.samples);
    if (!finding.note.empty()) text += hanging("     cause: ", printable(finding.note, 1000));
    return text;
}

std::string outcome_text(const Finding& finding, std::size_t width, bool verbose) {
    std::string text;
    if (finding.verdict == Verdict::not_applicable)
        text = hanging(fmt::format("n/a  {:<{}}   ", finding.check, width),
                       printable(finding.note, 1000));
    else
        text = fmt::format("ok   {:<{}}   {:<7} tolerance {}\n", finding.check, width,
                           brief(finding.observed), brief(finding.allowed));
    if (finding.verdict == Verdict::holds && !finding.note.empty())
        text += hanging("     but: ", printable(finding.note, 1000));
    return verbose ? text + details(finding) : text;
}

std::string claim_line(const Finding& finding, const Subject& subject) {
    std::string events, domain;
    bool says_violated = false;
    for (const Field& field : finding.fields) {
        if (field.role == FieldRole::event) {
            events += (events.empty() ? "" : ", ") + event_text(finding, field);
            says_violated |= is_verdict(finding, field);
        }
        if (field.role == FieldRole::domain) domain = "; searched to " + field_text(field.value);
    }
    std::string verdict;
    if (finding.verdict == Verdict::holds) verdict = fmt::format("holds to {}", subject.context);
    if (finding.verdict == Verdict::violated && !says_violated) verdict = "violated";
    if (finding.verdict == Verdict::not_applicable) verdict = "not applicable";
    if (!verdict.empty() && !events.empty()) verdict += ", ";
    return claim_head(finding) + ": " + verdict + events + domain;
}

std::string claim_text(const Finding& finding, const Subject& subject, bool verbose) {
    std::string text = "  " + claim_line(finding, subject) + "\n";
    if (!finding.note.empty()) text += "     cause: " + printable(finding.note, 1000) + "\n";
    return verbose ? text + details(finding) : text;
}

}  // namespace rope::io
