#include <algorithm>
#include <optional>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/session/other_judges.hpp"
#include "rope/session/session.hpp"

namespace rope {
namespace {

NamedMistake mistake_of(const CallFault& fault) {
    switch (fault.kind) {
        case CallFault::Kind::state:
            return named("state", {{"call", std::string("repeated")}});
        case CallFault::Kind::reused:
            return named("state", {{"call", std::string(fault.of.empty()     ? "other"
                                                        : fault.of == "rows" ? "shorter"
                                                                             : "later")}});
        case CallFault::Kind::mixed:
            return named("state", {{"mixes", fault.of == "entries" ? "batch entries" : fault.of}});
        case CallFault::Kind::ignored:
            return named("input", {{"ignored", fault.of}});
        case CallFault::Kind::modified:
            return named("input", {{"modified", fault.of}});
    }
    return {};
}

// Adds the finding of calls and what is wrong with them. Values that change from call to call, or
// that are not of x, have no other cause; a row that changes with other rows may have one, such as
// heads in another order.
void add_call_faults(Report& report, Finding calls, std::vector<CallFault> faults,
                     std::uint64_t rows_of_call) {
    using enum CallFault::Kind;
    const auto has = [&](CallFault::Kind kind) {
        return std::ranges::count(faults, kind, &CallFault::kind) > 0;
    };
    if (has(state) || has(ignored) || !report.diagnosis.empty())
        std::erase_if(faults, [](const CallFault& fault) { return fault.kind == mixed; });
    const bool is_explained = has(state) || has(ignored) || has(mixed);
    const bool has_other = std::ranges::any_of(report.findings, is_fault);
    std::erase_if(faults, [&](const CallFault& fault) {
        return (fault.kind == reused && (is_explained || (has_other && fault.of.empty()))) ||
               (fault.kind == state && has(ignored));
    });
    if (faults.empty()) return;
    if (is_explained) {
        report.diagnosis.clear();
        report.observations.clear();
        report.unexplained.clear();
    }
    if (has(reused))
        for (Explanation& one : report.diagnosis)
            add_part(one, "calls of " + decimal(rows_of_call) + " rows");
    for (const CallFault& fault : faults) {
        report.diagnosis.push_back(explanation_of(mistake_of(fault), 0, 0, {}));
        calls.note += (calls.note.empty() ? "" : "; ") + report.diagnosis.back().what;
    }
    report.findings.insert(report.findings.begin(), std::move(calls));
}

}  // namespace

Report audit(Answers answers, const SessionOptions& options, const Pipeline* pipeline) {
    const Spec spec = answers.audit.spec;
    const Dump vectors = audited_vectors(answers);
    const Format format = answers.format;
    if (is_judged_by_pipeline(pipeline, vectors, options))
        return judge_by_pipeline(spec, vectors, *pipeline, options);
    const std::vector<CallFault> faults = answers.call_faults;
    const std::uint64_t places = answers.audit.places();
    const std::vector<std::string> rows = facts_of_rows(answers), notes = notes_on(answers);
    const auto subject = audited_rows(std::move(answers), pipeline);
    Report report = judge(spec, *subject, options);
    report.subject.notes.insert(report.subject.notes.end(), notes.begin(), notes.end());
    std::optional<Finding> calls;
    if (const Finding* found = find_finding(report, calls_check); found && is_fault(*found)) {
        calls = *found;
        std::erase_if(report.findings,
                      [](const Finding& finding) { return finding.check == calls_check; });
    }
    // the diagnosis uses the probes or sequences, not the columns of R(m)
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    diagnose_into(report, vectors, rotation_exactness(spec, plan, format, pipeline),
                  subject->exactness().table, options);
    if (report.diagnosis.empty() && !report.observations.empty())
        report.observations.insert(report.observations.begin(), rows.begin(), rows.end());
    if (calls) add_call_faults(report, *std::move(calls), faults, places);
    return report;
}

}  // namespace rope
