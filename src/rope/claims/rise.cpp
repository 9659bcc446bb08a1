#include <charconv>

#include "base/decimal.hpp"
#include "rope/claims/claims.hpp"

namespace rope {

std::string step_in_words(double before, double at, std::uint64_t s) {
    const auto brief = [](double x) -> std::string {
        char text[40];
        const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, 6);
        return {text, end.ptr};
    };
    return brief(at) + " at s = " + decimal(s) + ", after " + brief(before) +
           " at s = " + decimal(s - 1);
}

Field first_event(const char* event, const std::optional<std::uint64_t>& s) {
    return {std::string("first_") + event, s ? FieldValue(*s) : FieldValue(), FieldRole::event,
            event};
}

Field searched_to(std::uint64_t last) { return {"searched_to", last, FieldRole::domain}; }

void report_rise(const Comparison& comparison, const Rise& rise, const char* curve, const char* why,
                 Finding& finding) {
    finding.samples = search_limit(comparison);
    finding.verdict =
        rise.first && *rise.first <= comparison.context() ? Verdict::violated : Verdict::holds;
    finding.fields.push_back(first_event("rise", rise.first));
    if (rise.constant != nullptr) {
        finding.verdict = Verdict::not_applicable;
        finding.note = std::string(curve) + " is constant: " + rise.constant;
    }
    if (!rise.first) return;
    finding.observed = rise.at - rise.before;
    const auto first = static_cast<double>(*rise.first);
    finding.worst = Witness{{first - 1, first}, std::nullopt, rise.at, rise.before};
    if (finding.verdict == Verdict::violated)
        finding.note = std::string(curve) + " is " +
                       step_in_words(rise.before, rise.at, *rise.first) + ": " + why;
}

}  // namespace rope
