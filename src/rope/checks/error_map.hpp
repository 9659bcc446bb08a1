// The largest errors of a subject over position and pair, and the scores of one query, for figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/tasks.hpp"
#include "rope/checks/check.hpp"
#include "rope/report/report.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// The axis of positions of a map, in parts.

// The axis |position| in equal parts, and the columns of cells that they show: a part that lies
// within one position shows it whole.
//   linear, log   parts are equal in |position|, or in its logarithm
//   listed        a few positions far apart: a column for each
enum class PositionScale { linear, log, listed };

struct PositionParts {
    PositionScale scale = PositionScale::linear;
    double first = 0, last = 1;               // of the axis
    std::vector<double> edges = {};           // column k is edges[k] ≤ |position| < edges[k + 1]
    std::vector<std::uint32_t> columns = {};  // of each part

    std::size_t column_of(double position) const;  // within the edges
};

// Every size of a position on any axis, where they are few and far apart, else the least and the
// greatest. Requires one.
std::vector<double> sizes_of(std::span<const std::span<const double>> axes);

// Of these sizes of positions, which ascend; of any between where there are two. A logarithmic
// axis, which a long run of them from near 0 gets, shows position 0 from 0.5 to 1.
PositionParts position_parts(std::span<const double> sizes, std::size_t parts);

// How large the errors of a subject are, over position and pair: what a picture of them shows.

// Where a cell's largest error is: the subject's component and the exact one.
struct ErrorPlace {
    double error = -1;  // |got − want|, infinite after NaN; −1 where the subject has no position
    double position = 0;
    std::uint32_t pair = 0;
    bool is_sine = false;
    double got = 0, want = 0;
};

struct ErrorMap {
    // What is asked for. Rows are of as many pairs each as that takes.
    std::size_t most_parts = 1520, most_rows = 384;
    bool keeps_places = false;

    PositionParts positions = {};
    std::uint32_t pairs = 0, pairs_per_row = 1;
    // rows × columns: the largest |ẑ − a·z| of a component; infinite after NaN, −1 where the
    // subject has no position.
    std::vector<float> worst = {};
    std::vector<ErrorPlace> places = {};  // of the same cells, where they are kept

    std::size_t columns() const { return positions.edges.empty() ? 0 : positions.edges.size() - 1; }
    std::size_t rows() const {
        const std::size_t across = columns();
        return across == 0 ? 0 : worst.size() / across;
    }
    float at(std::size_t row, std::size_t column) const { return worst[row * columns() + column]; }
};

// A report and the errors that were mapped while it was made.
struct MappedReport {
    std::string label;  // "llama-3.1-8b, hf-fp32"
    Report report;
    ErrorMap errors;
};

// Empty cells for the subject.
void lay_out(ErrorMap& map, const Comparison& comparison);

// Fills them as a check does that has seen every row; report_to() writes to the map, which must
// outlive it.
std::unique_ptr<RowCheck> make_error_map(ErrorMap& map, const Comparison& comparison,
                                         PairRange pairs);

// The scores of one query with keys at every distance before it, as a subject rotates them and
// exactly.

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
