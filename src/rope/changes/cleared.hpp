// What an implementation does to vectors besides rotating them (scales, weights, a bias, xPos, a
// Hadamard transform), estimated from a dump and taken out of it again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// Some rows of a dump of vectors, before and after, as doubles.

struct SampledVector {
    std::size_t row;  // the first, of several
    std::vector<double> before, after;
};

// The vectors of a dump, each by itself, or those of all heads of a token one after the other.
class JoinedHeads {
  public:
    explicit JoinedHeads(const RotatedDump& dump) : dump_(dump) {}
    JoinedHeads(const RotatedDump& dump, const RowGroups& groups)
        : dump_(dump), groups_(&groups), heads_(groups.heads()) {}

    const RotatedDump& source() const { return dump_; }
    std::size_t heads() const { return heads_; }
    std::size_t count() const { return dump_.positions.size() / heads_; }
    std::size_t lanes() const { return heads_ * head_dim_of(dump_); }

    std::size_t row(std::size_t token, std::size_t head) const {
        if (!groups_) return token;
        const std::size_t length = groups_->length();
        return groups_->row(token / length * heads_ + head, token % length);
    }

    SampledVector read(std::size_t token) const {
        const std::size_t each = head_dim_of(dump_);
        SampledVector one{row(token, 0), std::vector<double>(lanes()),
                          std::vector<double>(lanes())};
        for (std::size_t head = 0; head < heads_; ++head) {
            dump_.before.read(row(token, head), 0, each, one.before.data() + head * each);
            dump_.after.read(row(token, head), 0, each, one.after.data() + head * each);
        }
        return one;
    }

    // Lanes of a token to where its rows are among all, row-major.
    void write(std::size_t token, const std::vector<double>& lanes,
               std::vector<double>& all) const {
        const std::size_t each = head_dim_of(dump_);
        for (std::size_t head = 0; head < heads_; ++head)
            std::copy_n(lanes.data() + head * each, each, all.data() + row(token, head) * each);
    }

  private:
    const RotatedDump& dump_;
    const RowGroups* groups_ = nullptr;
    std::size_t heads_ = 1;
};

// Some of finite values, evenly over the dump; a step that heads share would pass some of them
// over.
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

// The lanes of a pair as they are read and written, or a lane that does not rotate, twice.
struct PairOfLanes {
    Lanes read, written;
    bool is_passed() const { return read.first == read.second; }
};

// Of heads one after the other, in each the pairs first.
inline std::vector<PairOfLanes> pairs_of(const Spec& spec, std::size_t heads) {
    std::vector<PairOfLanes> all;
    for (std::size_t head = 0; head < heads; ++head) {
        const std::size_t first = head * spec.head_dim;
        const auto of_head = [&](Lanes lanes) {
            return Lanes{first + lanes.first, first + lanes.second};
        };
        for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i)
            all.push_back(
                {of_head(lanes_of_pair(spec, i)), of_head(written_lanes_of_pair(spec, i))});
        for (const std::size_t lane : passed_lanes(spec))
            all.push_back({of_head({lane, lane}), of_head({lane, lane})});
    }
    return all;
}

// The Spec, and the same with its pairs in the other layout.
inline std::vector<Spec> in_both_layouts(const Spec& asked) {
    Spec other = asked;
    other.layout =
        asked.layout == PairLayout::half_split ? PairLayout::interleaved : PairLayout::half_split;
    return {asked, other};
}

// A change other than the rotation, undone in the dump.

struct Cleared {
    NamedMistake mistake;
    Dump dump;
    double times = 1;    // what a value is rounded by, as a multiple of that of the dump it is of
    double further = 0;  // and what is added to that, for amplitude 1
};

// Whether it is explained now: no other way is tried.
using IsExplained = std::function<bool(Cleared)>;

// Of a dump whose lanes are changed; each takes 8 bytes, before and after.
inline constexpr std::uint64_t most_changed_lanes = 3'000'000;

// Each lane multiplied by its weight, where x is as given or x·√d/|x|: the weights of a norm or
// the per-channel scales of a cache.
//   y = w ⊙ R x   or   y = R (w ⊙ x)
// Nothing is tried where the weights are one number, or by no such rule, or where lanes are too
// many. Requires a row.
void clear_of_weights(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained);

// A bias, of every head its own:
//   y = R (x + b)   or   y = R x + b
// Nothing is tried where lanes are too many. Requires a row.
void clear_of_shift(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained);

// A Hadamard transform H of each n lanes, over √n, in Sylvester's order:
//   y = H R x   or   y = R H x
// as DeepSeek-V3.2's indexer does before it quantises (inference/model.py, rotate_activation).
void clear_of_transform(const Spec& asked, const RotatedDump& dump,
                        const IsExplained& is_explained);

// The Spec's rotation, and the same of the other layout's pairs before it or after it: both the
// layer and the kernel rotate, and they disagree. Nothing is tried of several axes, or of positions
// that are not whole.
void clear_of_other_rotation(const Spec& asked, const RotatedDump& dump,
                             const IsExplained& is_explained);

// Lanes that rotate at one end of the head and are written at the other, those that do not beside
// them. Requires a row.
std::optional<Cleared> cleared_of_moved_lanes(const Spec& asked, const RotatedDump& dump);

// Pairs that are multiplied by ζ_i^((m − c)/s), ζ_i = (2i/d + 0.4)/1.4, as xPos multiplies q, and k
// by the inverse (arXiv 2212.10554, §3.2).
std::optional<Cleared> cleared_of_xpos(const Spec& asked, const RotatedDump& dump);

// Vectors whose norms are those of the other ones of the file, row by row.
std::optional<Cleared> cleared_of_other_vectors(const RotatedDump& dump);

// Tables whose cos and sin are multiplied by different numbers, a and b: cos²/a² + sin²/b² = 1.
std::optional<Cleared> cleared_of_unequal_scale(const Spec& asked, const TableDump& table);

// Tables of whole multiples of 1/n, which a fixed-point format of 8 or 16 bits leaves.
std::optional<Cleared> cleared_of_fixed_point(const TableDump& table);

// Two numbers by which squares add up to 1.

struct TwoTerms {
    double first, second;
};

// Least squares of a·p + b·q = 1 over all (p, q); of a·p = 1 and b = a where there is `one_term`.
// None where a or b is not positive, or a sum is off by more than the tolerance.
std::optional<TwoTerms> fit_to_one(const std::vector<TwoTerms>& all, double tolerance,
                                   bool one_term = false);

// Vectors that were changed one by one, apart from the rotation, with the change undone.

// Of a row's vector before the rotation, or after it.
using Undo = std::function<void(SampledVector&)>;

// Whether all pairs of the Spec keep their norms, but for one factor, where it is undone, and do
// not where it is not.
bool keeps_pairs_undone(const Spec& spec, const RotatedDump& dump, const Undo& undo);

// Rounding is then relative to the length of the row. Pairs within rounding of zero become zero and
// are left out; lanes that do not rotate become equal to the other side's, if they are within
// rounding of it.
Cleared undone(const Spec& spec, const RotatedDump& dump, const Undo& undo, NamedMistake mistake);

// Vectors that are rotated and multiplied by a scale that differs from row to row.

struct VectorScale {
    NamedMistake mistake;
    std::shared_ptr<const std::vector<double>> of_row;
};

// By the rule that |y|/|x| follows at every sampled row:
//   log-n        max(1, log_n(m + 1))                  Qwen-7B, modeling_qwen.py, use_logn_attn
//   temperature  1 + β·ln(1 + ⌊m/n⌋), or of m + 1      llama_4_scaling_beta, attn_scale
//   norm         c·√d/|x|, where norms follow the rotation   Llama 4, Llama4TextL2Norm
// None where norms are kept, or by no such rule.
std::optional<VectorScale> vector_scale(const Spec& asked, const RotatedDump& dump,
                                        const RowGroups& rows);

// Vectors that xPos multiplies beside turning them: Sun et al., arXiv 2212.10554, §3.2. Of pair i
//     q at m by ζ_i^((m − c)/s), k at n by ζ_i^(−(n − c)/s), ζ_i = (2i/d + 0.4)/1.4
// so that a score is left with ζ_i^((m − n)/s): relative position holds of scores as it does of a
// rotation's, while norms are not kept and c is in neither. torchscale's XPOS has s = 512 and, of L
// positions, c = ⌈L/2⌉; lucidrains' and flash-attention's c is ⌊L/2⌋.

enum class XposSide { query, key };

struct Xpos {
    double base = 512;  // s
    double centre = 0;  // c
};

// ln ζ_i of each pair.
std::vector<double> xpos_logs(std::uint32_t rotary_dim);

// What the rotation alone made of the vectors: `after` divided by its scales, of which each is
// within 2⁻⁵¹. Throws InputError where positions have several axes, or a scale takes numbers to
// where the dump's format has fewer bits.
RotatedDump without_xpos(const Spec& spec, RotatedDump dump, const Xpos& xpos, XposSide side);

}  // namespace rope
