// Lanes that do not rotate come out as they went in, to the bit.
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

void check_pass_through(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const Spec& spec = comparison.spec;
    WorstCase worst_case;
    if (spec.rotary_dim == spec.head_dim) {
        finding.note = "every lane rotates";
    } else if (const auto passed = comparison.subject.pass_through()) {
        worst_case.add_samples(passed->lanes);
        worst_case.add(passed->worst, 0, [&] {
            return Witness{{passed->position}, std::nullopt, passed->got, passed->want};
        });
    } else if (comparison.subject.subject().pipeline.empty()) {
        finding.note = "a table does not hold the lanes that do not rotate";
    } else {
        for (const double m : sample.positions) {
            const Sample::Row& row = *sample.row(m);
            const Vector rotated = rotate(spec, sample.q, row.cos, row.sin);
            for (const std::size_t lane : passed_lanes(spec)) {
                worst_case.add_samples(1);
                worst_case.add(std::abs(rotated[lane] - sample.q[lane]), 0, [&] {
                    return Witness{{m}, std::nullopt, rotated[lane], sample.q[lane]};
                });
            }
        }
    }
    worst_case.report_to(finding);
}

}  // namespace rope
