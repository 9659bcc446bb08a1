#include "io/render/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/text/number_text.hpp"

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

// "512x the allowance", "1.3x the allowance"
std::string times_over(const Finding& finding) {
    const double times = finding.observed / finding.allowed;
    if (!std::isfinite(times)) return "";
    if (times < 10) return brief(times) + "x the allowance";
    if (times > 1e15) return significant(times, 3) + "x the allowance";
    return grouped(static_cast<std::uint64_t>(std::round(times))) + "x the allowance";
}

std::string witness_lines(const Witness& worst) {
    const std::string want = significant(worst.want, 9), got = significant(worst.got, 9);
    const std::size_t width = std::max(want.size(), got.size());
    return fmt::format("       want  {:<{}}  {}\n       got   {:<{}}  {}\n", want, width,
                       hexfloat(worst.want), got, width, hexfloat(worst.got));
}

std::string violations_line(const Violations& violations, std::uint64_t samples) {
    return fmt::format(
        "     {} of {} values exceed their allowance, first at position {}, pair {}\n",
        violations.count, samples, violations.first_position, violations.first_pair);
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

// What --verbose adds: the equation, its source, the check's own fields and the worst place.
std::string details(const Finding& finding) {
    std::string text;
    if (!finding.statement.empty())
        text += "       " + printable(finding.statement) +
                (finding.source.empty() ? "" : "   (" + printable(finding.source) + ")") + "\n";
    for (const auto& [key, value] : finding.fields)
        text += fmt::format("       {} {}\n", key, field_text(value));
    if (finding.worst)
        text += "       worst at " + place(*finding.worst) + "\n" + witness_lines(*finding.worst);
    return text;
}

// "c3-R3" -> "c3[R3: |r̂| decreasing]"; "score-decay" -> "score-decay[B(s) = Σ cos sθ]"
std::string claim_head(const Finding& finding) {
    std::string reading = printable(finding.statement);
    for (const auto& [key, value] : finding.fields)
        if (key == "reading") reading = field_text(value);
    if (reading.empty()) return finding.check;
    const std::size_t number = finding.check.find("-R");
    if (number == std::string::npos) return finding.check + "[" + reading + "]";
    return finding.check.substr(0, number) + "[" + finding.check.substr(number + 1) + ": " +
           reading + "]";
}

// first_rise = 17 -> "first rise at s = 17"; nothing found -> "no rise"
std::string first_event(const Finding& finding, std::string_view event, const FieldValue& value) {
    const auto* s = std::get_if<std::uint64_t>(&value);
    if (s == nullptr) return "no " + std::string(event);
    if (event != "violation") return fmt::format("first {} at s = {}", event, *s);
    const bool violated = finding.verdict == Verdict::violated;
    const bool has_pair = finding.worst && finding.worst->pair;
    return fmt::format("{} at s = {}{}", violated ? "violated first" : "first violated", *s,
                       has_pair ? fmt::format(" (pair {})", *finding.worst->pair) : "");
}

}  // namespace

std::string parameters(const Report& report) {
    const Spec& spec = report.spec;
    std::string text = fmt::format("head_dim={}", spec.head_dim);
    if (spec.rotary_dim != spec.head_dim) text += fmt::format(" rotary_dim={}", spec.rotary_dim);
    if (spec.layout != PairLayout::half_split)
        text += fmt::format(" layout={}", to_string(spec.layout));
    text += " rope_theta=" + plain(spec.rope_theta);
    if (spec.scaling.rope_type != "default")
        text += " rope_type=" + printable(spec.scaling.rope_type);
    if (spec.scaling.factor) text += " factor=" + plain(*spec.scaling.factor);
    const Subject& subject = report.subject;
    if (!subject.pipeline.empty()) text += " pipeline=" + printable(subject.pipeline);
    return text + fmt::format(" positions<{}", subject.context);
}

ErrorText error_text(const Finding& finding) {
    ErrorText text{.worst = "worst |error| " + brief(finding.observed),
                   .allowed = "allowed " + brief(finding.allowed),
                   .over = times_over(finding)};
    if (finding.worst) text.worst += " at " + place(*finding.worst);
    return text;
}

std::string failure_text(const Finding& finding, const Report& report, std::size_t width) {
    std::string text = fmt::format("FAIL {:<{}}   {}\n", finding.check, width, parameters(report));
    const auto [worst, allowed, over] = error_text(finding);
    text += "     " + worst + "      " + allowed + (over.empty() ? "" : "     " + over) + "\n";
    if (finding.worst) text += witness_lines(*finding.worst);
    if (finding.violations) text += violations_line(*finding.violations, finding.samples);
    if (!finding.note.empty()) text += "     cause: " + printable(finding.note, 1000) + "\n";
    return text;
}

std::string outcome_text(const Finding& finding, std::size_t width, bool verbose) {
    std::string text;
    if (finding.verdict == Verdict::not_applicable)
        text =
            fmt::format("n/a  {:<{}}   {}\n", finding.check, width, printable(finding.note, 1000));
    else
        text = fmt::format("ok   {:<{}}   {:<7} allowed {}\n", finding.check, width,
                           brief(finding.observed), brief(finding.allowed));
    return verbose ? text + details(finding) : text;
}

std::string claim_text(const Finding& finding, const Subject& subject, bool verbose) {
    std::string events, domain;
    bool tells_violation = false;
    for (const auto& [key, value] : finding.fields) {
        if (key.starts_with("first_")) {
            const std::string event = first_event(finding, key.substr(6), value);
            events += (events.empty() ? "" : ", ") + event;
            tells_violation |= event.starts_with("violated");
        }
        if (key == "searched_to") domain = "; searched to " + field_text(value);
    }
    std::string verdict;
    if (finding.verdict == Verdict::holds) verdict = fmt::format("holds to {}", subject.context);
    if (finding.verdict == Verdict::violated && !tells_violation) verdict = "violated";
    if (finding.verdict == Verdict::not_applicable) verdict = "not applicable";
    if (!verdict.empty() && !events.empty()) verdict += ", ";
    const std::string line = "  " + claim_head(finding) + ": " + verdict + events + domain + "\n";
    return verbose ? line + details(finding) : line;
}

}  // namespace rope::io
