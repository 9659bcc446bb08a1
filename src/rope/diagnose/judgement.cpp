// From a judgement to its diagnosis.
#include <algorithm>
#include <limits>

#include "base/decimal.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/judge/registry.hpp"

namespace rope {
namespace {

// Positions where checks found the subject wrong.
std::vector<std::uint64_t> suspects(const Report& report) {
    std::vector<std::uint64_t> positions;
    for (const Finding& finding : report.findings) {
        if (finding.kind == Kind::claim || finding.verdict != Verdict::violated) continue;
        if (finding.violations) positions.push_back(finding.violations->first_position);
        if (finding.worst)
            positions.insert(positions.end(), finding.worst->positions.begin(),
                             finding.worst->positions.end());
    }
    return positions;
}

void take(Report& report, Diagnosis diagnosis) {
    report.diagnosis = std::move(diagnosis.explanations);
    report.facts = std::move(diagnosis.facts);
}

struct Width {
    std::uint64_t lanes, rows, context;
    std::string origin;
};

template <class Dump>
std::uint64_t context_of(const Dump& dump) {
    return *std::max_element(dump.positions.begin(), dump.positions.end()) + 1;
}

Width width_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump))
        return {2 * std::uint64_t{table->pairs}, table->positions.size(), context_of(*table),
                table->origin};
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return {vectors->before.size() / vectors->positions.size(), vectors->positions.size(),
                context_of(*vectors), vectors->origin};
    const auto& frequencies = std::get<FrequencyDump>(dump);
    return {2 * frequencies.inv_freq.size(), 0, 0, frequencies.origin};
}

}  // namespace

void diagnose_into(Report& report, const Dump& dump, const Exactness& exactness) {
    if (summarize(report).violated == 0) return;
    take(report, diagnose(report.spec, dump, {suspects(report), exactness}));
}

Report judge_width(const Spec& spec, const Dump& dump) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const Check& check = find_check("table-accuracy");
    const Width width = width_of(dump);
    Report report;
    report.spec = spec;
    report.attention_factor = plan.attention_factor;
    for (const PlannedFrequency& pair : plan.pairs)
        report.inv_freq.push_back(pair.inv_freq.to_double());
    report.subject.origin = width.origin;
    report.subject.context = width.context != 0 ? width.context : spec.max_position_embeddings;
    Finding finding;
    finding.check = check.id;
    finding.kind = check.kind;
    finding.verdict = Verdict::violated;
    finding.statement = check.statement;
    finding.source = check.source;
    finding.observed = std::numeric_limits<double>::infinity();
    finding.samples = width.rows;
    finding.note = "it is " + decimal(width.lanes) + " lanes wide; the Spec's rotary_dim is " +
                   decimal(std::uint64_t{spec.rotary_dim});
    report.findings.push_back(std::move(finding));
    take(report, diagnose(spec, dump));
    return report;
}

}  // namespace rope
