#include "rope/session/stillness.hpp"

#include <algorithm>
#include <limits>

#include "base/decimal.hpp"
#include "rope/session/vectors_report.hpp"

namespace rope {
namespace {

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
    require_checks(options.only, {"pass-through"}, "rotary_dim 0");
    Report report = report_on(spec, *vectors, options);
    Finding finding = find_passed_lanes(spec, *vectors);
    const bool is_at_zero = std::ranges::count(vectors->positions, 0) ==
                            static_cast<std::ptrdiff_t>(vectors->positions.size());
    if (is_at_zero && finding.verdict == Verdict::holds) {
        finding.verdict = Verdict::not_applicable;
        finding.note = "position 0 alone proves nothing";
    }
    report.findings.push_back(std::move(finding));
    if (summarize(report).violated > 0) explain_rotation(report, dump, {});
    return report;
}

}  // namespace rope
