// Dumps without rows that a Spec rotates: of another width, or of layers without rotation.
#include <algorithm>
#include <limits>

#include "base/decimal.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/session/diagnose_report.hpp"
#include "rope/session/replays.hpp"
#include "rope/session/session.hpp"

namespace rope {
namespace {

// Names the rotation of vectors that must not rotate, such as that of the config's other layers.
void explain_rotation(Report& report, const Dump& dump) {
    Spec rotating = report.spec;
    rotating.rotary_dim = rotating.head_dim;
    const Identity found = identify(dump, {&rotating, 1});
    const Report as_rotated = found.fits ? compare(found.spec, dump) : Report{};
    if (!found.fits || summarize(as_rotated).violated > 0) {
        report.observations.push_back(
            "vectors change, by no rotation of known parameters; give the config or --base and "
            "--rope of the layers that rotate, to name theirs");
        return;
    }
    Parameters context{{"base", found.spec.rope_theta}};
    if (found.spec.rotary_dim != found.spec.head_dim)
        context.emplace_back("head_dim", std::uint64_t{found.spec.head_dim});
    Explanation one = explanation_of(
        named("rotary-dim", {{"rotary_dim", std::uint64_t{found.spec.rotary_dim}}}, context),
        std::numeric_limits<double>::infinity(),
        times_over(*find_finding(as_rotated, "table-accuracy")));
    report.diagnosis.push_back(std::move(one));
}

}  // namespace

// Reports on a dump whose dimensions differ from the Spec's, which has no comparable rows.
Report judge_width(const Spec& spec, const Dump& dump, const SessionOptions& options) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Report report = report_on(spec, plan, dump, Subject{}.seed);
    Finding finding = finding_of("table-accuracy");
    finding.verdict = Verdict::violated;
    finding.observed = std::numeric_limits<double>::infinity();
    if (const auto rows = rows_of(dump)) finding.samples = rows->positions.size();
    const bool is_vectors = std::holds_alternative<RotatedDump>(dump);
    finding.note = "it is " + decimal(dimensions_of(dump)) + " dimensions wide; the config's " +
                   (is_vectors ? "head_dim is " + decimal(spec.head_dim)
                               : "rotary_dim is " + decimal(spec.rotary_dim));
    report.findings.push_back(std::move(finding));
    const CheckOutcome judgement{{}, {}, options.threads};
    if (options.evidence) *options.evidence = evidence_of(spec, dump, judgement);
    take(report, diagnose(spec, dump, judgement));
    return report;
}

Report judge_stillness(const Spec& spec, const Dump& dump, const SessionOptions& options) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr)
        throw InputError(
            "rotary_dim 0 rotates nothing, which a table or inv_freq does not show; "
            "give q and q_rot");
    require_checks(options.only, {"pass-through"}, "rotary_dim 0");
    Report report = report_on(spec, *vectors, options.seed);
    Finding finding = find_passed_dimensions(spec, *vectors);
    if (std::ranges::count(vectors->positions, 0) == std::ssize(vectors->positions))
        withhold(finding);
    report.findings.push_back(std::move(finding));
    if (summarize(report).violated > 0) explain_rotation(report, dump);
    return report;
}

}  // namespace rope
