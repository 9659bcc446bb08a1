// Largest errors of a subject by position and pair, and the scores of one query, for figures.
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
#include "rope/checks/comparison.hpp"
#include "rope/checks/report.hpp"
#include "rope/checks/sample.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// The axis of positions divided into equal parts, and the columns of cells shown. If several parts
// lie within one position, they show the same column.
//   linear, log   parts are equal in the position or in its logarithm
//   listed        one column for each of a few positions that are far apart
enum class PositionScale { linear, log, listed };

struct PositionParts {
    PositionScale scale = PositionScale::linear;
    double first = 0, last = 1;               // of the axis
    std::vector<double> edges = {};           // column k holds edges[k] ≤ position < edges[k + 1]
    std::vector<std::uint32_t> columns = {};  // column of each part

    std::size_t column_of(double position) const;  // requires a position within the edges
};

// Returns the positions of all axes if there are few, far apart; otherwise the least and the
// greatest. Requires at least one position.
std::vector<double> places_of(std::span<const std::span<const double>> axes);

// Returns the axis for ascending positions; two stand for a range. The axis is logarithmic for a
// long range that begins near 0, and then shows position 0 between 0.5 and 1.
PositionParts position_parts(std::span<const double> places, std::size_t parts);

// Place of a cell's largest error, with the subject's value and the exact one.
struct ErrorPlace {
    double error = -1;  // |got − want|; infinite for NaN, −1 if the subject has no position here
    double position = 0;
    std::uint32_t pair = 0;
    bool is_sine = false;
    double got = 0, want = 0;
};

struct ErrorMap {
    // Requested size; it determines the number of pairs per row.
    std::size_t most_parts = 1520, most_rows = 384;
    bool keeps_places = false;

    PositionParts positions = {};
    std::uint32_t pairs = 0, pairs_per_row = 1;
    // [rows × columns] largest |ẑ − a·z| of one cos or sin; infinite for NaN, −1 if the subject has
    // no position in the cell.
    std::vector<float> worst = {};
    std::vector<ErrorPlace> places = {};  // for the same cells, if keeps_places

    std::size_t columns() const { return positions.edges.empty() ? 0 : positions.edges.size() - 1; }
    std::size_t rows() const {
        const std::size_t across = columns();
        return across == 0 ? 0 : worst.size() / across;
    }
    float at(std::size_t row, std::size_t column) const { return worst[row * columns() + column]; }
};

// Sets the layout for the subject, with empty cells.
void lay_out(ErrorMap& map, const Comparison& comparison);

// Returns a check of every row whose report_to() fills the map. The map must outlive it.
std::unique_ptr<RowCheck> make_error_map(ErrorMap& map, const Comparison& comparison,
                                         PairRange pairs);

// The scores of one query with the keys at every distance before it, from a subject's rows and from
// exact ones.

// Scores disagree if their difference exceeds this share of the spread.
inline constexpr double disagreement = 0.1;

// For the query at the last position m, and s = 0 … m:
//   own[s] = ⟨R(m)q, R(m − s)k⟩/√d   exact[s]: the same with the Spec's frequencies
struct ScoreCurve {
    std::vector<double> own, exact;
    double spread = 0;  // for normal q and k: standard deviation; for given ones: RMS over s
    std::optional<std::uint64_t> first_off = {};  // first s at which the scores disagree
};

// The subject needs rows at positions 0, 1, 2, … on one axis. Uses memory for the curve and 4096
// pairs. Adds the rows to the progress in `rows`.
ScoreCurve score_curve(const Spec& spec, const RowSource& subject, const QueryAndKey& vectors,
                       TaskCount* rows = nullptr);

// Effect of a subject's errors on an attention logit ⟨R(m)q, R(n)k⟩, for q and k with independent
// values of variance 1.
//
// With the values of a pair as complex numbers, conj(q)·k = dot + i·cross, E dot² = E cross² = 2
// and E dot·cross = 0. The error of the logit is Re((dot + i·cross)·Δ) for Δ = conj(ẑ_m)·ẑ_n −
// a²·e^{i(n − m)θ}:
//   error² = Σ 2|Δ_i|²,   spread² = Σ 2a⁴ + number of dimensions that pass through

// Adds the spread and the largest error at the distances 1, 128, 4096, 32768 and the context's
// last, as far as they exist, over these pairs of positions: the last position (of the last 4096
// rows) that has a key at the distance, and each suspect position as query and as key. If heads or
// batch entries repeat a position, its worst and its best row are both used. An error is empty if
// no two positions have this distance. Also adds the first distance at which the error exceeds a
// tenth of the spread, searched at 8 distances per octave and refined by bisection, and for the
// pair with the largest |Δ| at the last distance the number of positions by which its angle is
// wrong there. Adds nothing if rows have several axes or there are fewer than two rows.
void report_logits(const Comparison& comparison, const std::vector<double>& suspects,
                   Finding& finding);

// Attention scores of the sample's q and k as sums over pairs.
// With the values of pair i as complex numbers q_i, k_i, and conj(q_i)·k_i = dot + i·cross:
//   ⟨R(m)q, R(n)k⟩ = Σ Re(conj(ẑ_m)·ẑ_n·(dot + i·cross)) + ⟨q, k⟩ of dimensions that pass through
struct PairProducts {
    std::vector<double> dot, cross;
    std::vector<double> size;  // |q_i||k_i|
    double pass_through = 0;
};

PairProducts pair_products(const Spec& spec, const QueryAndKey& vectors);

// Returns √d times the standard deviation of a score of standard normal q and k.
double normal_spread(const Spec& spec, double attention_factor);

double score(const PairProducts& products, const Sample::Row& query, const Sample::Row& key);

}  // namespace rope
