#include "rope/session/stillness.hpp"

#include <algorithm>
#include <limits>

#include "base/decimal.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/judge/registry.hpp"
#include "rope/subject/positions.hpp"

namespace rope {
namespace {

constexpr const char* only_check = "pass-through";

Finding pass_through(const Spec& spec, const RotatedDump& vectors, std::uint64_t context) {
    Finding finding = finding_of(find_check(only_check));
    const PassThrough passed = compare_passed_lanes(spec, vectors);
    WorstCase worst_case;
    worst_case.add_samples(passed.lanes);
    worst_case.add(passed.worst, 0, [&] {
        return Witness{{passed.position}, std::nullopt, passed.got, passed.want};
    });
    worst_case.report_to(finding);
    if (context > 1 || finding.verdict != Verdict::holds) return finding;
    finding.verdict = Verdict::not_applicable;
    finding.note = "position 0 alone proves nothing";
    return finding;
}

double worst_ratio(const Report& report) {
    double worst = 0;
    for (const Finding& finding : report.findings)
        if (finding.check == "table-accuracy") worst = finding.observed / finding.allowed;
    return worst;
}

// The rotation that there should not be.
void explain_rotation(Report& report, const Dump& dump, const SessionOptions& options) {
    const Identity found = identify(dump);
    if (!found.fits) {
        report.observations.push_back("vectors change, by no rotation of known parameters");
        return;
    }
    const Report as_rotated = compare(found.spec, dump, {}, options);
    if (summarize(as_rotated).violated > 0) return;
    Explanation one;
    one.mistake = "rotary-dim";
    one.parameters = {{"rotary_dim", std::uint64_t{found.spec.rotary_dim}}};
    one.what = (found.spec.rotary_dim == found.spec.head_dim
                    ? "all " + decimal(found.spec.head_dim)
                    : decimal(found.spec.rotary_dim) + " of " + decimal(found.spec.head_dim)) +
               " lanes rotate, by rope_theta " + decimal(found.spec.rope_theta) + "; none should";
    one.before = std::numeric_limits<double>::infinity();
    one.after = worst_ratio(as_rotated);
    one.advice = "the layer is one without position embeddings: do not rotate its q and k";
    report.diagnosis.push_back(std::move(one));
}

}  // namespace

Report judge_stillness(const Spec& spec, const Dump& dump, const SessionOptions& options) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr)
        throw InputError(
            "rotary_dim 0 rotates nothing, which a table or inv_freq does not show; "
            "give q and q_rot");
    for (const std::string& id : options.only)
        if (find_check(id).id != only_check)
            throw InputError("only pass-through applies to rotary_dim 0, not " + id);
    Report report;
    report.spec = spec;
    report.subject.origin = vectors->origin;
    report.subject.context = context_of(vectors->positions);
    report.subject.seed = options.seed;
    report.subject.read_as = vectors->read_as;
    report.findings.push_back(pass_through(spec, *vectors, report.subject.context));
    if (report.findings.front().verdict == Verdict::violated) explain_rotation(report, dump, {});
    return report;
}

}  // namespace rope
