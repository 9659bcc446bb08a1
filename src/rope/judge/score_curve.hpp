// The scores of one query with keys at every distance before it, as a subject rotates them and
// exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tasks.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// Off by more than this share of their spread scores disagree.
inline constexpr double disagreement = 0.1;

// Of the query at the last position m, s = 0 … m:
//     own[s] = ⟨R(m)q, R(m − s)k⟩/√d     exact[s]: the same by the Spec's frequencies
struct ScoreCurve {
    std::vector<double> own, exact;
    double spread = 0;  // of scores of standard normal q and k; of given ones over the distance
    std::optional<std::uint64_t> first_off = {};  // the first s at which they disagree
};

struct QueryAndKey {
    std::vector<double> q, k;  // head_dim each, before rotation
};

// Of q and k, or of standard normal ones from the seed. Require rows at positions 0, 1, 2, … on one
// axis. In memory for the curve and 4096 pairs. Its rows are added to `rows`.
ScoreCurve score_curve(const Spec& spec, const RowSource& subject, const QueryAndKey& vectors,
                       TaskCount* rows = nullptr);
ScoreCurve score_curve(const Spec& spec, const RowSource& subject, std::uint64_t seed,
                       TaskCount* rows = nullptr);

}  // namespace rope
