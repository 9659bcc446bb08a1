// Changes of vectors in addition to the rotation (scales, weights, a bias, xPos, a Hadamard
// transform), estimated from a dump and undone in it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/rows/dump.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// A row's vectors before and after the rotation.
struct SampledVector {
    std::size_t row;  // the first row, if it joins several
    std::vector<double> before, after;
};

// The vectors of a dump, row by row, or with all heads of a token joined.
class JoinedHeads {
  public:
    explicit JoinedHeads(const RotatedDump& dump) : dump_(dump) {}
    JoinedHeads(const RotatedDump& dump, const RowGroups& groups)
        : dump_(dump), groups_(groups.heads() > 1 ? &groups : nullptr), heads_(groups.heads()) {}

    const RotatedDump& source() const { return dump_; }
    std::size_t heads() const { return heads_; }
    std::size_t count() const { return dump_.positions.size() / heads_; }
    std::size_t dimensions() const { return heads_ * head_dim_of(dump_); }

    std::size_t row(std::size_t token, std::size_t head) const {
        if (!groups_) return token;
        const std::size_t length = groups_->length();
        return groups_->row(token / length * heads_ + head, token % length);
    }

    SampledVector read(std::size_t token) const {
        const std::size_t each = head_dim_of(dump_);
        SampledVector one{row(token, 0), std::vector<double>(dimensions()),
                          std::vector<double>(dimensions())};
        for (std::size_t head = 0; head < heads_; ++head) {
            dump_.before.read(row(token, head), 0, each, one.before.data() + head * each);
            dump_.after.read(row(token, head), 0, each, one.after.data() + head * each);
        }
        return one;
    }

    // Returns the dump with change(vector) applied to the vectors of every token.
    template <class Change>
    RotatedDump changed(const Change& change) const {
        std::vector<double> before(count() * dimensions()), after(before.size());
        for (std::size_t token = 0; token < count(); ++token) {
            SampledVector one = read(token);
            change(one);
            write(token, one.before, before);
            write(token, one.after, after);
        }
        RotatedDump changed = dump_;
        changed.before = StridedRows(std::move(before), head_dim_of(dump_));
        changed.after = StridedRows(std::move(after), head_dim_of(dump_));
        return changed;
    }

  private:
    // Writes a token's values to its rows in `all` (rows × head_dim).
    void write(std::size_t token, const std::vector<double>& dimensions,
               std::vector<double>& all) const {
        const std::size_t each = head_dim_of(dump_);
        for (std::size_t head = 0; head < heads_; ++head)
            std::copy_n(dimensions.data() + head * each, each,
                        all.data() + row(token, head) * each);
    }

    const RotatedDump& dump_;
    const RowGroups* groups_ = nullptr;
    std::size_t heads_ = 1;
};

// Returns a sample of the rows with finite values, spread over the dump. The step has no common
// divisor with the number of heads, so that every head occurs.
inline std::vector<SampledVector> sampled_vectors(const JoinedHeads& rows) {
    std::size_t step = std::max<std::size_t>(1, rows.count() / most_samples);
    while (std::gcd(step, rows.source().grid.head.length) > 1) ++step;
    std::vector<SampledVector> all;
    for (std::size_t token = 0; token < rows.count(); token += step) {
        SampledVector one = rows.read(token);
        const auto is_finite = [](double x) { return std::isfinite(x); };
        if (std::ranges::all_of(one.before, is_finite) && std::ranges::all_of(one.after, is_finite))
            all.push_back(std::move(one));
    }
    return all;
}

// The dimensions of a pair as read and written; a dimension that does not rotate occurs twice.
struct PairOfDimensions {
    Dimensions read, written;
    bool is_passed() const { return read.first == read.second; }
};
inline double norm_at(const std::vector<double>& of, const Dimensions& at) {
    return portable::hypot(of[at.first], of[at.second]);
}

// Returns the pairs and then the unrotated dimensions of each of `heads` joined heads.
inline std::vector<PairOfDimensions> pairs_of(const Spec& spec, std::size_t heads) {
    std::vector<PairOfDimensions> all;
    for (std::size_t head = 0; head < heads; ++head) {
        const std::size_t first = head * spec.head_dim;
        const auto of_head = [&](Dimensions dimensions) {
            return Dimensions{first + dimensions.first, first + dimensions.second};
        };
        for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i)
            all.push_back({of_head(dimensions_of_pair(spec, i)),
                           of_head(written_dimensions_of_pair(spec, i))});
        for (const std::size_t dimension : passed_dimensions(spec))
            all.push_back({of_head({dimension, dimension}), of_head({dimension, dimension})});
    }
    return all;
}

inline Spec in_other_layout(Spec spec) {
    spec.layout =
        spec.layout == PairLayout::half_split ? PairLayout::interleaved : PairLayout::half_split;
    return spec;
}

// A change other than the rotation, with the dump in which it is undone.
struct Cleared {
    NamedMistake mistake;
    Dump dump;
    double times = 1;    // factor of the dump's rounding error
    double further = 0;  // added to the rounding error, for amplitude 1
};

// Returns whether the cleared dump is explained; if so, nothing else is tried.
using IsExplained = std::function<bool(Cleared)>;

// A change in a row's vector before or after the rotation of a Spec's pairs.
struct VectorChange {
    NamedMistake mistake;
    Spec spec;
    std::function<void(SampledVector&)> undo;
    double times = 16;  // factor of the rounding error; 1: values are only moved
};

// The vectors of a dump, row by row or with the heads of a token joined, in which changes are
// undone.
struct Undoing {
    const Spec& asked;
    JoinedHeads rows;
    const IsExplained& is_explained;
    std::vector<SampledVector> sampled = sampled_vectors(rows);

    const RotatedDump& vectors() const { return rows.source(); }
    // Returns whether the dump with the change undone is explained. Tries it only if all pairs then
    // keep their norms up to one factor per row, which they do not in half of the sampled rows
    // without it.
    bool is_explained_without(const VectorChange& change) const;
};

// Each of these functions undoes a change in the vectors, in every way that the dump permits, until
// a cleared dump is explained; returns whether one is. It may copy the dump.
using ClearOf = bool(const Undoing& of);

// Undoes weights of the dimensions, where x is the vector or x·√d/|x|, as in a norm or in a cache
// with per-channel scales:
//   y = w ⊙ R x   or   y = R (w ⊙ x)
// Tries nothing if all weights are equal or do not fit. Requires a row.
ClearOf clear_of_weights;

// Undoes a bias, which may differ between heads:
//   y = R (x + b)   or   y = R x + b
// Requires a row.
ClearOf clear_of_shift;

// Undoes a Hadamard transform H/√n of every n dimensions, in Sylvester's order:
//   y = H R x   or   y = R H x
// as in DeepSeek-V3.2's indexer before quantisation (inference/model.py, rotate_activation).
ClearOf clear_of_transform;

// Undoes another order of the dimensions of a head, or of all heads of a token, read from rows at
// position 0:
//   y = R (P x)   or   y = P (R x)
// as from weights that were permuted for another number of heads. Tries nothing without such rows.
ClearOf clear_of_order;

// Undoes a second rotation, before or after the Spec's: of the other layout's pairs or of all
// dimensions of a head that rotates in part, as both the layer and the kernel rotate, in different
// ways; or, after it, the same in every row, as of keys that are moved in a cache with other
// parameters: by one position in all dimensions of a head that rotates in part, or by one angle per
// pair. Tries nothing with several axes or fractional positions.
ClearOf clear_of_second_rotation;

// Moves rotated dimensions back, where they are read at one end of the head and written at the
// other, next to the unrotated ones. Requires a row.
ClearOf clear_of_moved_dimensions;

// Takes the file's other vectors as those before the rotation, if the norms of all rows are theirs.
std::optional<Cleared> cleared_of_other_vectors(const Undoing& of);

// Returns the table with equal factors, where cos has a and sin b: cos²/a² + sin²/b² = 1.
std::optional<Cleared> cleared_of_unequal_scale(const Spec& asked, const TableDump& table);

// Returns the table with a tolerance of 1/n if all sampled entries are whole multiples of 1/n, as
// in 8- and 16-bit fixed point.
std::optional<Cleared> cleared_of_fixed_point(const TableDump& table);

// Fits a·x = b by least squares.
template <std::size_t N>
class LeastSquares {
  public:
    void add(const std::array<double, N>& a, double b, double weight = 1) {
        for (std::size_t i = 0; i < N; ++i) {
            for (std::size_t j = 0; j < N; ++j) sums_[i][j] += weight * a[i] * a[j];
            sums_[i][N] += weight * a[i] * b;
        }
    }
    std::array<double, N> solution() {
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t k = i + 1; k < N; ++k) {
                const double factor = sums_[k][i] / sums_[i][i];
                for (std::size_t j = i; j <= N; ++j) sums_[k][j] -= factor * sums_[i][j];
            }
        std::array<double, N> x{};
        for (std::size_t i = N; i-- > 0;) {
            double rest = sums_[i][N];
            for (std::size_t j = i + 1; j < N; ++j) rest -= sums_[i][j] * x[j];
            x[i] = rest / sums_[i][i];
        }
        return x;
    }

  private:
    std::array<std::array<double, N + 1>, N> sums_{};
};

using TwoTerms = std::pair<double, double>;

// Fits a·p + b·q = 1 to all (p, q) by least squares; with `one_term`, q is 0 and b = a. None if a
// or b is not positive, or a sum differs from 1 by more than the tolerance.
std::optional<TwoTerms> fit_to_one(const std::vector<TwoTerms>& all, double tolerance,
                                   bool one_term = false);

// Names a factor of cos and sin that should be `asked`, or the softmax scale in rotated vectors,
// whose values are rounded relatively by `of_vectors`.
NamedMistake named_amplitude(double own, double asked, const Spec& spec,
                             const std::optional<double>& of_vectors);

// Undoes a scale of the rotated vectors if |y|/|x| follows one of these rules at every row:
//   log-n        max(1, log_n(m + 1))                  Qwen-7B, modeling_qwen.py, use_logn_attn
//   temperature  1 + β·ln(1 + ⌊m/n⌋), or of m + 1      llama_4_scaling_beta, attn_scale
//   norm         c·√d/|x|, where norms follow the rotation   Llama 4, Llama4TextL2Norm
//   constant     of vectors that rotate in part, as dimensions that do not rotate show it
std::optional<Cleared> cleared_of_scale(const Spec& asked, const RotatedDump& dump);

// xPos multiplies the rotated vectors (Sun et al., arXiv 2212.10554, §3.2):
//     q at m by ζ_i^((m − c)/s), k at n by ζ_i^(−(n − c)/s), ζ_i = (2i/d + 0.4)/1.4
// A score then has the factor ζ_i^((m − n)/s): it depends on m − n only, not on c, but norms are
// not kept. torchscale's XPOS has s = 512 and, for L positions, c = ⌈L/2⌉; lucidrains' and
// flash-attention's c is ⌊L/2⌋.

enum class XposSide { query, key };

struct Xpos {
    double base = 512;  // s
    double centre = 0;  // c
};

// Returns the dump with `after` divided by its scales, which are exact to 2⁻⁵¹. Throws InputError
// with several axes, or if a scale exceeds the range in which the dump's format is exact.
RotatedDump without_xpos(const Spec& spec, RotatedDump dump, const Xpos& xpos, XposSide side);
// Undoes the scales with s and c fitted to the dump.
std::optional<Cleared> cleared_of_xpos(const Undoing& of);

}  // namespace rope
