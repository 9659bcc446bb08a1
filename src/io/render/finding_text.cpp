#include <fmt/format.h>

#include <ranges>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/render/results.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

// "position 3259, pair 10" or "positions 3, 7"
std::string place(const Witness& worst) {
    std::string text = (worst.positions.size() == 1 ? "position " : "positions ") +
                       join(worst.positions, position_text, " and ");
    if (worst.pair) text += fmt::format(", pair {}", *worst.pair);
    return text;
}

// "512 times the tolerance 3.9e-3", "1.3 times …", "2.7e6 times …"; "tolerance 0" if a value must
// be exact, as the ratio to a rounding error of its recovery from vectors has no meaning.
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

// The lines of --verbose: statement, source, fields, and the worst place, or a claim's first.
std::string details(const Finding& finding) {
    std::string text;
    if (!finding.statement.empty())
        text += "       " + printable(finding.statement) +
                (finding.source.empty() ? "" : "   (" + printable(finding.source) + ")") + "\n";
    for (const Field& field : finding.fields)
        text += fmt::format("       {} {}\n",
                            field.event.starts_with("above") ? "first " + field.event : field.name,
                            field_text(field.value, 6));
    const char* which = finding.kind == Kind::claim ? "       first at " : "       worst at ";
    if (finding.worst) text += which + place(*finding.worst) + "\n" + witness_lines(*finding.worst);
    return text;
}

// "c3-R3" -> "c3[R3: |r̂| decreasing]"; "score-decay" -> "score-decay[B(s) = Σ cos sθ]"
std::string claim_head(const Finding& finding) {
    std::string words = printable(finding.statement);
    for (const Field& field : finding.fields)
        if (field.role == FieldRole::reading) words = field_text(field.value, 6);
    if (words.empty()) return finding.check;
    if (finding.reading.empty()) return finding.check + "[" + words + "]";
    return finding.claim + "[" + finding.reading + ": " + words + "]";
}

// Whether the field is the violation that decides the verdict.
bool is_verdict(const Finding& finding, const Field& field) {
    return field.event == "violation" && finding.verdict == Verdict::violated &&
           std::holds_alternative<std::uint64_t>(field.value);
}

// A rise at 17 -> "first rise at s = 17"; nothing found -> "no rise"
std::string event_text(const Finding& finding, const Field& field) {
    const auto* s = std::get_if<std::uint64_t>(&field.value);
    if (s == nullptr) return "no " + field.event;
    if (field.event != "violation")
        return fmt::format("first {} at s = {}", field.event, grouped(*s));
    const bool has_pair = finding.worst && finding.worst->pair;
    return fmt::format(
        "{} at s = {}{}", is_verdict(finding, field) ? "violated first" : "first violated",
        grouped(*s), has_pair ? fmt::format(" (pair {})", *finding.worst->pair) : "");
}

// Null if the check has no samples.
const Finding* find_applied(const Report& report, std::string_view check) {
    const Finding* finding = find_finding(report, check);
    return finding == nullptr || finding->samples == 0 ? nullptr : finding;
}

std::string worst_text(const Finding& table) {
    const double error = *finding_field<double>(table, "worst_error");
    std::string text = std::isfinite(error) ? "largest error of cos and sin " + brief(error)
                                            : "cos and sin are not finite";
    const auto at = std::ranges::find(table.fields, "worst_error_position", &Field::name);
    if (at != table.fields.end())
        text += fmt::format(" at position {}, pair {}", field_text(at->value),
                            *finding_field<std::uint64_t>(table, "worst_error_pair"));
    return text;
}

// "first beyond 1e-3 at position 17780, never beyond 2^-9"
std::string events_text(const Finding& table) {
    const auto has_event = [](const Field& one) { return !one.event.empty(); };
    const auto text = [](const Field& one) {
        return std::holds_alternative<std::monostate>(one.value)
                   ? "never " + one.event
                   : fmt::format("first {} at position {}", one.event, field_text(one.value));
    };
    return join(table.fields | std::views::filter(has_event), text);
}

// "logits:   RMS error 6.0e-3 at distance 1, 0.010 at 128, …"
std::string logit_text(const Finding& scores, bool verbose) {
    const auto spread = finding_field<double>(scores, "logit_standard_deviation");
    if (!spread) return "";
    std::string at;
    for (const Field& one : scores.fields)
        if (const auto* rms = std::get_if<double>(&one.value); rms != nullptr && one.distance)
            at += fmt::format("{}{} at {}{}", at.empty() ? "" : ", ", brief(*rms),
                              at.empty() ? "distance " : "", grouped(*one.distance));
    const auto from = finding_field<std::uint64_t>(scores, "logit_error_matters_from");
    std::string text = fmt::format(
        "logits:   RMS error {}: {} {} (a tenth of the standard deviation of random logits){}", at,
        from ? "above" : "always below", brief(0.1 * *spread),
        from ? fmt::format(", first at distance {}", grouped(*from)) : "");
    if (verbose)
        text += fmt::format("; worst in pair {}: equivalent to shifting the key by {} tokens",
                            *finding_field<std::uint64_t>(scores, "tokens_off_pair"),
                            brief(*finding_field<double>(scores, "tokens_off")));
    return text;
}

}  // namespace

std::string field_text(const FieldValue& value, int digits) {
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return grouped(*n);
    if (const auto* x = std::get_if<double>(&value))
        return digits > 0 ? significant(*x, digits) : decimal(*x);
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? printable(*text) : "none";
}

std::string cause_of(const Explanation& one) {
    constexpr std::size_t longest = 1000;
    return fmt::format("{} (docs/mistakes.md#{})", printable(one.advice, longest), one.mistake);
}

std::string parameters(const Report& report) {
    const Spec& spec = report.spec;
    Spec usual;
    usual.rotary_dim = spec.head_dim;
    std::string text = fmt::format("head_dim={}", spec.head_dim);
    const std::string_view shown[] = {
        "rotary_dim", "rotary_offset",          "direction", "layout", "rope_theta",
        "rope_type",  name_of(&Scaling::factor)};
    for (const std::string_view field : shown) {
        const Json value = setting_value(spec, field);
        if (field == "rope_theta" ? !report.inv_freq.empty() : value != setting_value(usual, field))
            text += fmt::format(" {}={}", field, printable(setting_text(value)));
    }
    if (!spec.reading.empty()) text += " reading=" + printable(spec.reading);
    const Subject& subject = report.subject;
    if (!subject.pipeline.empty()) text += " pipeline=" + printable(subject.pipeline);
    return text + fmt::format(" positions<{}", subject.context);
}

std::string doubt_of(const Subject& subject) {
    std::vector<std::string> doubts;
    for (const Assumption& one : subject.read_as)
        if (one.what == "other_axes")
            doubts.push_back(printable(one.from, 1000) + ", check it with --axes " + one.value);
        else if (one.what == "differing")
            doubts.insert(doubts.begin(), printable(one.from, 1000));
        else if (one.what == "rounded_positions" || one.what == "layer")
            doubts.push_back(printable(one.from, 1000));
        else if (one.what == "pair_not_read")
            doubts.push_back(one.from +
                             (one.value.empty() ? "" : ": check them with " + one.value));
    return join(doubts, {}, "; and ");
}

std::string error_text(const Finding& finding) {
    const std::string at = finding.worst ? " at " + place(*finding.worst) : "";
    if (std::isnan(finding.observed)) return "not finite" + at;
    return "error " + brief(finding.observed) + at + ", " + against_tolerance(finding);
}

std::string failure_text(const Finding& finding, const Report& report, std::size_t width,
                         bool verbose) {
    const std::string head = fmt::format("FAIL {:<{}}   ", finding.check, width);
    std::string text;
    if (finding.kind == Kind::claim) {
        text = head + "claim " + claim_line(finding, report.subject) + "\n";
    } else {
        const bool is_measured = finding.samples > 0 || finding.note.empty();
        std::string line = is_measured ? error_text(finding) : printable(finding.note, 1000);
        if (finding.worst && !std::isnan(finding.worst->want))
            line += "; want " + significant(finding.worst->want, 9) + ", got " +
                    significant(finding.worst->got, 9);
        text = hanging(head, line);
        if (finding.worst && verbose) text += witness_lines(*finding.worst);
    }
    if (const auto& violations = finding.violations)
        text += fmt::format("     {} of {} values fail, first at position {}, pair {}\n",
                            grouped(violations->count), grouped(finding.samples),
                            position_text(violations->first_position), violations->first_pair);
    if (finding.samples > 0 && !finding.note.empty())
        text += hanging("     cause: ", printable(finding.note, 1000));
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
        if (field.role == FieldRole::domain) domain = "; searched to " + field_text(field.value, 6);
    }
    std::string verdict;
    if (finding.verdict == Verdict::holds) verdict = "holds to " + grouped(subject.context);
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

std::string accuracy_text(const Report& report, bool verbose) {
    const Finding* table = find_applied(report, "table-accuracy");
    // a dump of another width has no values to compare
    if (table == nullptr || !finding_field<double>(*table, "worst_error")) return "";
    const Finding* scores = find_applied(report, "score-accuracy");
    if (scores != nullptr && std::isnan(scores->observed)) scores = nullptr;
    std::string accuracy = "accuracy: " + worst_text(*table);
    const bool has_angles =
        !std::isnan(table->observed) && table->verdict != Verdict::not_applicable;
    const std::string arithmetic = *finding_field<std::string>(*table, "class");
    const double error = *finding_field<double>(*table, "K");  // 0 if only sizes are wrong
    const bool is_known = has_angles && arithmetic != "none";
    if (is_known) accuracy += "; " + *finding_field<std::string>(*table, "like");
    if (verbose && (is_known || (has_angles && error > 0))) accuracy += "; K " + brief(error);
    if (verbose) accuracy += "; " + events_text(*table);
    const std::string logits = scores == nullptr ? "" : logit_text(*scores, verbose);
    return wrapped(accuracy, 10) + (logits.empty() ? "" : wrapped(logits, 10));
}

}  // namespace rope::io
