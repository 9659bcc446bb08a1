// What entries of the ledger are derived from: scores, rotations, shapes and rounded numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope::ledger {

// The scores of two equal tokens at a distance, exactly, and where they turn.

// Base RoPE, and He & Xu's scaled form for n positions, at exact_precision.
const FrequencyPlan& base_rope();
FrequencyPlan base_rope(std::uint32_t dim, double base = 1e4);
const FrequencyPlan& scaled_rope();
FrequencyPlan scaled_rope(std::uint32_t dim, double base = 1e4, std::uint64_t n = 2048);

// Σ cos(sθ_i) and Σ sin(sθ_i) over the pairs; s may be any real number.
BigReal cosine_sum(const FrequencyPlan& plan, const BigReal& s);
BigReal sine_sum(const FrequencyPlan& plan, const BigReal& s);

// 2π/θ_i, in positions.
BigReal wavelength(const PlannedFrequency& pair);
// (d/2)·log_b(T/2π), the critical index of base b and length T.
BigReal full_turn_pairs(double dim, double base, double length);
// How many pairs turn by less than an angle over `length` positions, and how many by a whole turn.
std::size_t slow_pairs(const FrequencyPlan& plan, const BigReal& angle, double length);
std::size_t full_turns(const FrequencyPlan& plan, double length);

// B̂(s), the mean of cos(sθ_i).
BigReal mean_score(const FrequencyPlan& plan, std::uint64_t s);

// 2√(P − B(s)) of P pairs: the distance of a vector of ones and its rotation by s.
BigReal apart(const FrequencyPlan& plan, double s);

// The first s ≤ last with B(s) > B(s − 1).
std::optional<std::uint64_t> first_rise(const FrequencyPlan& plan, std::uint64_t last);

// The least u > 0 with B'(u) = 0: where B stops falling, as a real number.
BigReal first_minimum(const FrequencyPlan& plan);

// The least and the greatest B̂ of first … last.
struct Extremes {
    std::uint64_t least_at, greatest_at;
};
Extremes extremes(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t last);

// RoFormer's bound (§3.4.3): A(s) = (2/d) Σ_j |S_j|, S_j = Σ_{l<j} e^{isθ_l}.

// A(s); s may be any real number.
BigReal abel_bound(const FrequencyPlan& plan, const BigReal& s);

// The first s ≤ last with A(s) > A(s − 1).
std::optional<std::uint64_t> first_bound_rise(const FrequencyPlan& plan, std::uint64_t last);

// ALiBi: a penalty of slope·distance on each logit, a slope per head.

// 2^{−8h/n}, h = 1 … n, where n is a power of two; else those of the power p below n, and then
// every other one of 2p's.  (Press et al., arXiv 2108.12409, get_slopes)
std::vector<BigReal> alibi_slopes(int heads);

// Attention of one dimension, q = k = v = x: the mean of the tokens with weights e^{query·token}.
BigReal attended(double query, std::span<const double> tokens);

// How often the readings of (c3) hold for vectors drawn at random.

// Of all draws, the shares for which these go one way at every step from distance 0 on.
struct Shares {
    double falling;          // r̂ falls
    double modulus_falling;  // |r̂| falls
    double growing_apart;    // |r̂ − r| grows
};

// q and k of independent normal entries (SplitMix64, seed 1), at distances 0, step, … last.
Shares monotone_shares(const FrequencyPlan& plan, std::uint64_t draws, std::uint64_t last,
                       std::uint64_t step);

// Rotations of a pair, written as the articles do: a row vector times a matrix.

using Vector = std::vector<BigReal>;

Vector vector_of(std::initializer_list<double> lanes);
BigReal dot(const Vector& x, const Vector& y);

// [[a, b], [c, d]]
struct Matrix2 {
    BigReal a, b, c, d;
};

Matrix2 rotation(const BigReal& angle);    // [[cos, sin], [−sin, cos]]
Matrix2 reflection(const BigReal& angle);  // [[cos, sin], [sin, −cos]]
Matrix2 identity2();

Vector operator*(const Vector& v, const Matrix2& m);
Matrix2 operator*(const Matrix2& m, const Matrix2& n);
Matrix2 transposed(const Matrix2& m);
BigReal determinant(const Matrix2& m);

// The largest difference of two entries.
BigReal distance(const Vector& x, const Vector& y);
BigReal distance(const Matrix2& m, const Matrix2& n);

// Equal up to what rounding leaves of an identity at 320 bits.
bool same(const BigReal& x, const BigReal& y);
bool same(const Vector& x, const Vector& y);
bool same(const Matrix2& m, const Matrix2& n);

// x at position m in either layout, base 10000.
Vector rotated(const Vector& x, PairLayout layout, double m);

// x·cos + partner·sin, entry by entry, with the angles of the pairs at position m.
Vector sparse_form(const Vector& x, const Vector& partner, PairLayout layout, double m);

// (1, 2, 3, 4) at position 3 and (2, −1, 1, 3) at 1 in a layout, and their score. Reordered,
// dimensions 1 and 2 are swapped: halves become neighbours, and neighbours halves.
Vector sample_query(PairLayout layout, bool reordered = false);
Vector sample_key(PairLayout layout, bool reordered = false);
BigReal sample_score(PairLayout layout, bool reordered = false);

// What torch does with the shapes of a listing: products, views, slices and broadcasting.

using Shape = std::vector<std::uint64_t>;

double numbers_in(const Shape& shape);

// x.view(target); an entry 0 of the target takes what is left, as −1 does in torch.
bool can_view(const Shape& shape, const Shape& target);

// x[:length] along an axis: never more than there are.
Shape cut(Shape shape, std::size_t axis, std::uint64_t length);

// The shape of x·y entry by entry; the last axes are aligned. Empty: torch raises an error.
std::optional<Shape> broadcast(const Shape& x, const Shape& y);

// Columns of cat(freqs, freqs), freqs for arange(0, dim, 2).
constexpr std::uint64_t table_width(std::uint64_t dim) { return (dim + 1) / 2 * 2; }

// The shape of the matrix product; empty where there is none.
std::optional<Shape> matrix_product(const Shape& x, const Shape& y);

// How far an angle is off where inv_freq, the position and their product are rounded.

// inv_freq is a float32 power first, as everywhere, and then of its own format.
struct AngleRounding {
    Format inv_freq = Format::float32, position = Format::float32, product = Format::float32;
};

// The largest |computed − mθ| over positions 0 … last and all pairs, in radians, to 1e-9 of it.
// Base 10000.
double worst_angle_error(std::uint32_t dim, const AngleRounding& rounding, std::uint64_t last);

// The largest error of a cos or sin of the float32 table that torch computes, positions 0 … last.
double worst_table_error(std::uint32_t dim, std::uint64_t last);

// Different numbers that positions 0 … last are rounded to.
std::uint64_t distinct_positions(Format format, std::uint64_t last);

// How a score changes when query and key move together, in bfloat16.
//
// 100 keys of a first token, and 64 queries that repeat along a sequence, so that all lengths have
// the same ones, have entries drawn uniformly from (−1, 1) and rounded to bfloat16 (SplitMix64,
// seed 1 for queries and 2 for keys; d = 128, pairs (i, i + d/2), base 10000). Their products are
// summed in double, and not divided by √d.

enum class Bfloat16Rotation {
    rounded_once,  // rotated exactly, cast to bfloat16
    arithmetic,    // cos and sin of bfloat16, and each product and sum
    positions,     // the same, with positions in bfloat16
};

// For each key the means over positions 0 … T − 1 of |score at shift 0 − score at shift 16|, for
// each T (ascending).
std::vector<std::vector<double>> logit_drift(Bfloat16Rotation rotation,
                                             const std::vector<std::uint64_t>& lengths);

// Rows of cos and sin as they are stored in few bits: which of them are the same.

struct StoredRows {
    std::uint64_t distinct;          // rows of cos and sin
    std::uint64_t distinct_cos;      // rows of cos alone
    std::uint64_t equal_neighbours;  // m whose row is that of m + 1
};

// Of positions 0 … last, correctly rounded to bfloat16 or float16.
StoredRows stored_rows(const FrequencyPlan& plan, std::uint64_t last, Format format);

// The first position at which a cos is no longer 1.
std::uint64_t first_cos_below_one(const FrequencyPlan& plan, Format format);

}  // namespace rope::ledger
