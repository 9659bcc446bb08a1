// R_kj = 0 unless the Spec writes lane j's pair to lane k, or passes the lane through: the product
// of a table's value and a lane that holds 0. Allowed is one rounding of a unit vector of amplitude
// a: a·u.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "rope/checks/checks.hpp"
#include "rope/checks/lane_mixing.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/suite/audit.hpp"
#include "rope/table/rotate.hpp"

namespace rope {
namespace {

// Where a lane goes: the lanes that its pair is written to, or its own.
struct Destination {
    Lanes lanes;
    std::optional<std::uint32_t> pair;
};

std::vector<Destination> destinations(const Spec& spec) {
    std::vector<Destination> all(spec.head_dim);
    for (const std::size_t lane : passed_lanes(spec)) all[lane] = {{lane, lane}, {}};
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const auto [first, second] = lanes_of_pair(spec, i);
        all[first] = all[second] = {written_lanes_of_pair(spec, i), i};
    }
    return all;
}

}  // namespace

void check_structure(const Comparison& comparison, const Answers& answers, Finding& finding) {
    const Audit& audit = answers.audit;
    const double allowed = answers.roundoff() * std::max(1.0, comparison.plan.attention_factor);
    const std::vector<Destination> destination = destinations(audit.spec);
    WorstCase worst_case;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (std::uint32_t from = 0; from < audit.spec.head_dim; ++from) {
            const auto& [lanes, pair] = destination[from];
            const std::uint32_t axis = pair ? comparison.axis[*pair] : 0;
            const double position = audit.positions[axis][place];
            for (std::uint32_t to = 0; to < audit.spec.head_dim; ++to) {
                if (to == lanes.first || to == lanes.second) continue;
                const double got = answers.response(place, to, from);
                worst_case.add_samples(1);
                worst_case.judge(std::abs(got), allowed, position, pair.value_or(0),
                                 [&] { return Witness{{position}, pair, got, 0}; });
            }
        }
    worst_case.report_to(finding);
    const LaneMixing mixing = find_lane_mixing(answers);
    finding.fields.push_back({"pairing", mixing.pairing});
    if (finding.verdict == Verdict::violated) finding.note = mixing.found;
}

}  // namespace rope
