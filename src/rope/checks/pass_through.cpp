// Lanes from rotary_dim on come out as they went in, to the bit.
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

void probe_pass_through(const Trial& trial, const Probe& probe, Finding& finding) {
    const Spec& spec = trial.spec;
    Tally tally;
    if (spec.rotary_dim == spec.head_dim) {
        finding.note = "every lane rotates";
    } else if (const auto passed = trial.subject.pass_through()) {
        tally.add_samples(passed->lanes);
        tally.add(passed->worst, 0, [&] {
            return Witness{{passed->position}, std::nullopt, passed->got, passed->want};
        });
    } else if (trial.subject.subject().pipeline.empty()) {
        finding.note = "a table says nothing of the lanes that do not rotate";
    } else {
        for (const std::uint64_t m : probe.positions) {
            const Probe::Row& row = *probe.row(m);
            const Vector rotated = rotate(spec, probe.q, row.cos, row.sin);
            for (std::uint32_t lane = spec.rotary_dim; lane < spec.head_dim; ++lane) {
                tally.add_samples(1);
                tally.add(std::abs(rotated[lane] - probe.q[lane]), 0,
                          [&] { return Witness{{m}, std::nullopt, rotated[lane], probe.q[lane]}; });
            }
        }
    }
    tally.report_to(finding);
}

}  // namespace rope
