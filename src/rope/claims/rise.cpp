#include "rope/claims/claims.hpp"

namespace rope {

Field first_event(const char* event, const std::optional<std::uint64_t>& s) {
    return {std::string("first_") + event, s ? FieldValue(*s) : FieldValue(), FieldRole::event,
            event};
}

Field searched_to(std::uint64_t last) { return {"searched_to", last, FieldRole::domain}; }

void report_rise(const Comparison& comparison, const Rise& rise, Finding& finding) {
    finding.samples = search_limit(comparison);
    finding.verdict =
        rise.first && *rise.first <= comparison.context() ? Verdict::violated : Verdict::holds;
    finding.fields.push_back(first_event("rise", rise.first));
    if (!rise.first) return;
    finding.observed = rise.at - rise.before;
    finding.worst = Witness{{*rise.first - 1, *rise.first}, std::nullopt, rise.at, rise.before};
}

}  // namespace rope
