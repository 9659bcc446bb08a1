// Quantities for the entries of the ledger: scores, rotations, tensor shapes and rounded numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope::ledger {

// Exact scores of two equal tokens as functions of their distance.

// Return RoPE's frequencies, and He & Xu's scaled ones for n positions, at exact_precision.
const FrequencyPlan& base_rope();
FrequencyPlan base_rope(std::uint32_t dim, double base = 1e4);
const FrequencyPlan& scaled_rope();
FrequencyPlan scaled_rope(std::uint32_t dim, double base = 1e4, std::uint64_t n = 2048);

// Returns the sum of a function of θ_i over the pairs.
BigReal sum_over(const FrequencyPlan& plan, const std::function<BigReal(const BigReal&)>& of);

// Returns 2π/θ_i in positions.
BigReal wavelength(const PlannedFrequency& pair);
// Returns (d/2)·log_b(T/2π), the critical index for base b and length T.
BigReal full_turn_pairs(double dim, double base, double length);
// Return the number of pairs that rotate by less than `angle` over `length` positions, and of those
// that complete a turn.
std::size_t slow_pairs(const FrequencyPlan& plan, const BigReal& angle, double length);
std::size_t full_turns(const FrequencyPlan& plan, double length);

// Returns B̂(s), the mean of cos(sθ_i).
BigReal mean_score(const FrequencyPlan& plan, std::uint64_t s);

// Returns 2√(P − B(s)) for P pairs: the distance between a vector of ones and its rotation by s.
BigReal apart(const FrequencyPlan& plan, double s);

// Returns the first s ≤ last with B(s) > B(s − 1).
std::optional<std::uint64_t> first_rise(const FrequencyPlan& plan, std::uint64_t last);

// Returns the least real u > 0 with B'(u) = 0, where B stops decreasing.
BigReal first_minimum(const FrequencyPlan& plan);

// Distances s in first … last with the least and the greatest B̂(s).
struct Extremes {
    std::uint64_t least_at, greatest_at;
};
Extremes extremes(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t last);

// RoFormer's bound (§3.4.3): A(s) = (2/d) Σ_j |S_j|, S_j = Σ_{l<j} e^{isθ_l}.

// Returns A(s) for any real s.
BigReal abel_bound(const FrequencyPlan& plan, const BigReal& s);

// Returns the first s ≤ last with A(s) > A(s − 1).
std::optional<std::uint64_t> first_bound_rise(const FrequencyPlan& plan, std::uint64_t last);

// ALiBi adds −slope·distance to each logit, with one slope per head.

// Returns the slopes 2^{−8h/n}, h = 1 … n, if n is a power of two; otherwise those of the largest
// power p < n, followed by every second one of 2p.  (Press et al., arXiv 2108.12409, get_slopes)
std::vector<BigReal> alibi_slopes(int heads);

// Returns the attention of one dimension with q = k = v = x: Σ token·e^{query·token}, normalised.
BigReal attended(double query, std::span<const double> tokens);

// Rotations of a pair in the articles' notation: a row vector times a matrix.

using Vector = std::vector<BigReal>;

Vector vector_of(std::initializer_list<double> dimensions);
BigReal dot(const Vector& x, const Vector& y);

using Matrix = Vector;  // square, row after row

Matrix rotation(const BigReal& angle);  // [[cos, sin], [−sin, cos]]

// Returns the product of a matrix, or of a row, with a matrix.
Matrix operator*(const Vector& x, const Matrix& m);
Matrix transposed(const Matrix& m);

// Returns the determinant of a 2 × 2 matrix.
BigReal determinant(const Matrix& m);

// Returns the largest absolute difference of two entries.
BigReal distance(const Vector& x, const Vector& y);

// Returns whether both are equal up to the rounding errors of 320-bit arithmetic.
bool same(const BigReal& x, const BigReal& y);
bool same(const Vector& x, const Vector& y);

// Returns x rotated at position m in the given layout, base 10000.
Vector rotated(const Vector& x, PairLayout layout, double m);

// Returns x·cos + partner·sin entry by entry, with the angles of the pairs at position m.
Vector sparse_form(const Vector& x, const Vector& partner, PairLayout layout, double m);

// Returns the score of (1, 2, 3, 4) at position 3 and (2, −1, 1, 3) at position 1. With
// `reordered`, dimensions 1 and 2 are swapped first, which exchanges the two layouts' pairs.
BigReal sample_score(PairLayout layout, bool reordered = false);

// Shapes of torch tensors: products, views, slices and broadcasting.

using Shape = std::vector<std::uint64_t>;

std::uint64_t numbers_in(const Shape& shape);

// Returns whether x.view(target) works. An entry 0 in the target stands for −1 in torch.
bool can_view(const Shape& shape, const Shape& target);

// Returns the shape of x[:length] along an axis, which is never longer than x.
Shape cut(Shape shape, std::size_t axis, std::uint64_t length);

// Returns the shape of x·y, elementwise with the last axes aligned, or nothing if torch raises an
// error.
std::optional<Shape> broadcast(const Shape& x, const Shape& y);

// Returns the shape of the matrix product, or nothing if there is none.
std::optional<Shape> matrix_product(const Shape& x, const Shape& y);

// Errors of angles due to rounding of inv_freq, the position and their product.

// Formats of the three roundings. inv_freq is first computed as a float32 power.
struct AngleRounding {
    Format inv_freq = Format::float32, position = Format::float32, product = Format::float32;
};

// Returns the largest |computed − mθ| in radians over positions 0 … last and all pairs, with a
// relative error below 1e-9, for base 10000.
double worst_angle_error(std::uint32_t dim, const AngleRounding& rounding, std::uint64_t last);

// Returns how many different numbers the positions 0 … last are rounded to.
std::uint64_t distinct_positions(Format format, std::uint64_t last);

// Rows of cos and sin as they are stored, counted by equality.

struct StoredRows {
    std::uint64_t distinct;          // number of different rows of cos and sin
    std::uint64_t distinct_cos;      // number of different rows of cos
    std::uint64_t equal_neighbours;  // number of m whose row equals that of m + 1
};

// Counts the rows 0 … last, correctly rounded to the format.
StoredRows stored_rows(const FrequencyPlan& plan, std::uint64_t last, Format format);

}  // namespace rope::ledger
