// |R(m)q| = a|q| in each pair of lanes of the declared layout, for random q.
// Per pair |ẑ|² is within a²(2ε + ε²) of a², ε = storage (no angle moves a norm).
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

void check_pair_norm(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const Spec& spec = comparison.spec;
    const double a = comparison.plan.attention_factor, epsilon = comparison.storage;
    const double allowed = a * a * (2 * epsilon + epsilon * epsilon);
    WorstCase worst_case;
    for (const double m : sample.positions) {
        const Sample::Row& row = *sample.row(m);
        const Vector rotated = rotate(spec, sample.q, row.cos, row.sin);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto norm = [](const Vector& x, Lanes lanes) {
                return x[lanes.first] * x[lanes.first] + x[lanes.second] * x[lanes.second];
            };
            const double got = norm(rotated, written_lanes_of_pair(spec, i)) /
                               norm(sample.q, lanes_of_pair(spec, i));
            worst_case.add_samples(1);
            worst_case.add(std::abs(got - a * a), allowed,
                           [&] { return Witness{{m}, i, got, a * a}; });
        }
    }
    worst_case.report_to(finding);
}

}  // namespace rope
