#include "io/render/accuracy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/decimal.hpp"
#include "io/text/number_text.hpp"
#include "io/text/wrapped.hpp"
#include "rope/report/report.hpp"

namespace rope::io {
namespace {

// Null where the check looked at nothing.
const Finding* find_applied(const Report& report, std::string_view check) {
    const Finding* finding = find_finding(report, check);
    return finding == nullptr || finding->samples == 0 ? nullptr : finding;
}

// A position, whole or fractional, of either sign.
std::optional<std::string> position_text(const FieldValue& value) {
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) return decimal(*whole);
    if (const auto* real = std::get_if<double>(&value)) return decimal(*real);
    return std::nullopt;
}

std::string worst_text(const Finding& table) {
    std::string text =
        "largest error of cos and sin " + brief(*finding_field<double>(table, "worst_error"));
    const auto at = std::ranges::find(table.fields, "worst_error_position", &Field::name);
    if (at != table.fields.end())
        text += fmt::format(" at position {}, pair {}", *position_text(at->value),
                            *finding_field<std::uint64_t>(table, "worst_error_pair"));
    return text;
}

// "first beyond 1e-3 at position 17780, never beyond 2^-9"
std::string events_text(const Finding& table) {
    std::string text;
    for (const Field& one : table.fields) {
        if (one.event.empty()) continue;
        const auto first = position_text(one.value);
        text += text.empty() ? "" : ", ";
        text += first ? fmt::format("first {} at position {}", one.event, *first)
                      : "never " + one.event;
    }
    return text;
}

// "logits:   RMS error 6.0e-3 at distance 1, 0.010 at 128, …"
std::string logit_text(const Finding& scores, bool verbose) {
    const auto spread = finding_field<double>(scores, "logit_standard_deviation");
    if (!spread) return "";
    std::string at;
    for (const Field& one : scores.fields)
        if (const auto* rms = std::get_if<double>(&one.value); rms != nullptr && one.distance)
            at += fmt::format("{}{} at {}{}", at.empty() ? "" : ", ", brief(*rms),
                              at.empty() ? "distance " : "", *one.distance);
    const auto from = finding_field<std::uint64_t>(scores, "logit_error_matters_from");
    std::string text = fmt::format(
        "logits:   RMS error {}: {} of {}, the standard deviation of random logits", at,
        from ? fmt::format("from distance {} on more than 10 %", *from) : "always below 10 %",
        brief(*spread));
    if (verbose)
        text += fmt::format("; worst in pair {}: equivalent to shifting the key by {} tokens",
                            *finding_field<std::uint64_t>(scores, "tokens_off_pair"),
                            brief(*finding_field<double>(scores, "tokens_off")));
    return text;
}

// "as accurate as float32 inv_freq", "the angle error is 6.3e4 float32 steps, …"
std::string arithmetic_text(const Finding& table) {
    if (*finding_field<std::string>(table, "class") != "none")
        return *finding_field<std::string>(table, "like");
    return fmt::format("the angle error is {} times float32's rounding",
                       brief(*finding_field<double>(table, "K")));
}

}  // namespace

std::string accuracy_text(const Report& report, bool verbose) {
    const Finding* table = find_applied(report, "table-accuracy");
    // a dump of another width has no values to compare with the truth
    if (table == nullptr || !finding_field<double>(*table, "worst_error")) return "";
    const Finding* scores = find_applied(report, "score-accuracy");
    std::string accuracy =
        fmt::format("accuracy: {}; {}", worst_text(*table), arithmetic_text(*table));
    if (verbose)
        accuracy += fmt::format("; K {}; {}", brief(*finding_field<double>(*table, "K")),
                                events_text(*table));
    const std::string logits = scores == nullptr ? "" : logit_text(*scores, verbose);
    return wrapped(accuracy, 10) + (logits.empty() ? "" : wrapped(logits, 10));
}

}  // namespace rope::io
