// R_kj = 0 unless lanes k and j are one pair of the Spec, or one lane: the product of a table's
// value and a lane that holds 0. Allowed is one rounding of a unit vector of amplitude a: a·u.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "rope/checks/checks.hpp"
#include "rope/checks/lane_mixing.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/subject/audit.hpp"
#include "rope/table/rotate.hpp"

namespace rope {
namespace {

struct Partner {
    std::uint32_t lane;
    std::optional<std::uint32_t> pair;
};

// Of each lane; a lane that passes through is its own.
std::vector<Partner> partners(const Spec& spec) {
    std::vector<Partner> all;
    for (std::uint32_t lane = 0; lane < spec.head_dim; ++lane) all.push_back({lane, {}});
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const auto [a, b] = lanes_of_pair(spec, i);
        all[a] = {static_cast<std::uint32_t>(b), i};
        all[b] = {static_cast<std::uint32_t>(a), i};
    }
    return all;
}

}  // namespace

void check_structure(const Comparison& comparison, const Answers& answers, Finding& finding) {
    const Audit& audit = answers.audit;
    const double allowed = answers.roundoff() * std::max(1.0, comparison.plan.attention_factor);
    const std::vector<Partner> partner = partners(audit.spec);
    WorstCase worst_case;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (std::uint32_t from = 0; from < audit.spec.head_dim; ++from) {
            const auto [other, pair] = partner[from];
            const std::uint32_t axis = pair ? comparison.axis[*pair] : 0;
            const std::uint64_t position = audit.positions[axis][place];
            for (std::uint32_t to = 0; to < audit.spec.head_dim; ++to) {
                if (to == from || to == other) continue;
                const double got = answers.response(place, to, from);
                worst_case.add_samples(1);
                worst_case.add(std::abs(got), allowed,
                               [&] { return Witness{{position}, pair, got, 0}; });
                if (!(std::abs(got) <= allowed))
                    worst_case.add_violation(position, pair.value_or(0));
            }
        }
    worst_case.report_to(finding);
    const LaneMixing mixing = find_lane_mixing(answers);
    finding.fields.push_back({"pairing", mixing.pairing});
    if (finding.verdict == Verdict::violated) finding.note = mixing.found;
}

}  // namespace rope
