#include "rope/session/vectors_report.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/judge/registry.hpp"
#include "rope/subject/positions.hpp"

namespace rope {

Report report_on(const Spec& spec, const RotatedDump& vectors, const SessionOptions& options) {
    Report report;
    report.spec = spec;
    report.subject.origin = vectors.origin;
    report.subject.context = context_of(vectors.positions);
    report.subject.seed = options.seed;
    report.subject.read_as = vectors.read_as;
    return report;
}

Finding find_passed_lanes(const Spec& spec, const RotatedDump& vectors) {
    Finding finding = finding_of(find_check("pass-through"));
    const PassThrough passed = compare_passed_lanes(spec, vectors);
    WorstCase worst_case;
    worst_case.add_samples(passed.lanes);
    worst_case.add(passed.worst, 0, [&] {
        return Witness{{passed.position}, std::nullopt, passed.got, passed.want};
    });
    worst_case.report_to(finding);
    return finding;
}

void require_checks(const std::vector<std::string>& only,
                    std::initializer_list<std::string_view> these, const std::string& what) {
    for (const std::string& id : only)
        if (std::ranges::find(these, find_check(id).id) == these.end())
            throw InputError("only " + join(these, {}, " and ") +
                             (these.size() == 1 ? " applies to " : " apply to ") + what + ", not " +
                             id);
}

}  // namespace rope
