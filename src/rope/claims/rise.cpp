#include "rope/claims/claims.hpp"

namespace rope {

void report_rise(const Comparison& comparison, const Rise& rise, Finding& finding) {
    finding.samples = search_limit(comparison);
    finding.verdict =
        rise.first && *rise.first <= comparison.context() ? Verdict::violated : Verdict::holds;
    finding.fields.emplace_back("first_rise", rise.first ? FieldValue(*rise.first) : FieldValue());
    if (!rise.first) return;
    finding.observed = rise.at - rise.before;
    finding.worst = Witness{{*rise.first - 1, *rise.first}, std::nullopt, rise.at, rise.before};
}

}  // namespace rope
