// |R(m)q| = a|q| in each pair of lanes of the declared layout, for random q.
// Per pair |ẑ|² is within a²(2ε + ε²) of a², ε = storage (no angle moves a norm).
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

void probe_pair_norm(const Trial& trial, const Probe& probe, Finding& finding) {
    const Spec& spec = trial.spec;
    const double a = trial.plan.attention_factor, epsilon = trial.storage;
    const double allowed = a * a * (2 * epsilon + epsilon * epsilon);
    Tally tally;
    for (const std::uint64_t m : probe.positions) {
        const Probe::Row& row = *probe.row(m);
        const Vector rotated = rotate(spec, probe.q, row.cos, row.sin);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const Lanes lanes = lanes_of_pair(spec, i);
            const auto norm = [&](const Vector& x) {
                return x[lanes.first] * x[lanes.first] + x[lanes.second] * x[lanes.second];
            };
            const double got = norm(rotated) / norm(probe.q);
            tally.add_samples(1);
            tally.add(std::abs(got - a * a), allowed, [&] { return Witness{{m}, i, got, a * a}; });
        }
    }
    tally.report_to(finding);
}

}  // namespace rope
