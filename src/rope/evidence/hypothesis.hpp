// A hypothesis about the implementation that wrote a dump, and the dump's errors under it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "rope/evidence/samples.hpp"
#include "rope/exact/format.hpp"

namespace rope {

// How a pair (cos, sin) of angle φ was written: as e^{iψ}, ψ = quarters·π/2 ± φ. The enumerator is
// 2·quarters, plus 1 for −φ.
enum class Orientation : std::uint8_t {
    right,     // ψ = φ
    reversed,  // ψ = −φ      sin negated, or the transpose applied
    rotated,   // ψ = π/2 + φ cos and sin exchanged, one negated: (−sin, cos)
    swapped,   // ψ = π/2 − φ cos and sin exchanged
    opposite,  // ψ = π + φ   both negated
    mirrored,  // ψ = π − φ   cos negated
};
constexpr int quarters_of(Orientation turn) { return static_cast<int>(turn) / 2; }
constexpr bool is_reversed(Orientation turn) { return static_cast<int>(turn) % 2 == 1; }
// Returns φ for an observed angle ψ.
inline double oriented(Orientation turn, double angle) {
    const double ahead = quarters_of(turn) * (std::numbers::pi / 2);
    return is_reversed(turn) ? ahead - angle : angle - ahead;
}

// The position p that an implementation uses instead of m.
struct PositionMap {
    enum class Kind {
        affine,  // p = scale·m + offset; with the default numbers p = m
        constant,
        clamp,
        raised,  // p = max(m, offset)
        wrap,
        run,
        quotient,   // p = ⌊m/scale⌋
        switched,   // p = scale·m + offset for m ≥ from, else m; scale 0: not rotated from there on
        integer,    // p = m modulo `offset` in [from, from + offset), the range of an integer type
        magnitude,  // p = |m|
        truncated,  // p = m without its fraction
        nearest,    // p = m rounded to a whole number
        chunks      // p = m + offset·⌊m/scale⌋
    };
    Kind kind = Kind::affine;
    double scale = 1;  // run: p = scale·⌊m/scale⌋
    // constant: p = offset;   clamp: p = min(m, offset);   wrap: p = m mod offset
    double offset = 0;
    double from = 0;
    // Whether a start or a period is fitted to the dump, which other ids would not need.
    bool is_fitted() const { return kind == Kind::switched || kind == Kind::wrap; }
    double operator()(double m) const;
};

// The position of one axis: the ids Samples::other_ids[other_ids] (none: the axis' ids), mapped.
struct AxisPlace {
    std::optional<std::size_t> other_ids = {};
    PositionMap map = {};
};

// The format of each intermediate result, as in Pipeline, and the method that computes the angle.
struct Rounding {
    enum class Method { product, recurrence, accumulated };
    Format inv_freq = Format::float32;
    Format position = Format::float32;
    Format product = Format::float32;
    Format table = Format::float64;  // float64: no rounding except Samples::storage
    Method method = Method::product;
    RoundingMode mode = RoundingMode::nearest_even;  // of formats narrower than float32

    bool operator==(const Rounding&) const = default;
    // True if only the table was rounded, toward zero: then no entry exceeds its exact value.
    // `mode` belongs to the other roundings.
    bool cuts_table() const {
        return *this == Rounding{.table = table, .mode = RoundingMode::toward_zero} &&
               table != Format::float64;
    }
};

// An entry of a table of cos and sin. A table has none before position 0.
struct TableEntry {
    double position;
    std::uint32_t column;
    bool is_sin;
    bool operator==(const TableEntry&) const = default;
};

// The entries that are read as cos and sin of a pair at a position.
using TableEntries = std::array<TableEntry, 2>;
using ReadTable = std::function<TableEntries(double position, std::uint32_t pair)>;

struct Hypothesis {
    std::vector<double> theta;        // per pair, radians per position
    std::vector<double> angle_k;      // per pair, K: the angle's error is up to K·2^-24·mθ
    std::vector<std::uint32_t> axis;  // per pair
    double amplitude = 1;
    Orientation turn = Orientation::right;
    PositionMap position = {};
    Rounding rounding = {};
    std::vector<AxisPlace> places = {};  // per axis; empty: the axis' ids, mapped by `position`
    // For RowErrors: a table of these frequencies whose entries are read at other places.
    ReadTable read = {};

    // The position of a row before the map of the pair's axis.
    double given(const Samples& samples, std::size_t row, std::uint32_t pair) const;
    const PositionMap& map_of(std::uint32_t pair) const {
        return places.empty() ? position : places[axis[pair]].map;
    }
};

// The angles of an implementation with these roundings: pow's error of a few units of 2^-24 in
// inv_freq may change every later rounding. The count is the same for every pair.
struct ExpectedAngles {
    std::array<double, 3> values;
    std::size_t count;
};
ExpectedAngles expected_angles(const Hypothesis& hypothesis, double m, std::uint32_t pair);

// Returns |modulus·e^{i·angle} − e^{i·expected}|.
double sample_distance(double modulus, double angle, double expected);

// Returns the largest error divided by its tolerance, or any number above `limit` if it exceeds it.
// A value that is not finite agrees only with an angle that is not finite.
double misfit(const Samples& samples, const Hypothesis& hypothesis, double limit);

// Returns whether all samples are within `times` the tolerances of `wider` of the hypothesis.
bool fits_within(const Samples& samples, const Hypothesis& hypothesis, const Hypothesis& wider,
                 double times);

// misfit() of one row: its first error above the limit, else the largest. Requires method
// `product`.
double row_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit,
                  std::size_t row);

double pair_misfit(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                   double limit);

// K of the pair at a mapped position. A scaled position is rounded once more, and so is one ≥ 2^24.
inline double angle_k_at(const Hypothesis& hypothesis, double position, std::uint32_t pair) {
    constexpr double of_rounded_position = 4;  // roundings of the scale, its product and the angle
    constexpr double of_double = 0x1p-26;      // error of float64 angles: a few units of 2^-53
    const double k = std::max(hypothesis.angle_k[pair], of_double), size = std::abs(position);
    const PositionMap& map = hypothesis.map_of(pair);
    const bool is_scaled = map.kind == PositionMap::Kind::affine && map.scale != 1;
    const bool is_whole = !(size < 0x1p53) || size == static_cast<double>(std::int64_t(size));
    if (is_scaled || !is_whole) return std::max(k, of_rounded_position);
    return size < 0x1p24 ? k : k + 1;
}

// The tolerances for amplitude 1: of the rounding of stored values, of the angle position·θ, and
// both.
double stored_tolerance(const Samples& samples, const Hypothesis& hypothesis);
inline double angle_tolerance(const Samples& samples, const Hypothesis& hypothesis, double position,
                              std::uint32_t pair) {
    if (!std::isfinite(position)) return 0;
    const double k = std::min(angle_k_at(hypothesis, position, pair), samples.largest_k);
    const double angle = std::abs(hypothesis.theta[pair] * position);
    // an angle reduced to less than 8 and rounded to float32
    const double reduced = std::min(1.0, samples.largest_k) * 0x1p-22;
    const double of_move = 2 * samples.keys_moved_by * std::abs(hypothesis.theta[pair]);
    return std::max(reduced, std::min(2.0, 0x1p-24 * (k * angle + of_move)));
}
double sample_tolerance(const Samples& samples, const Hypothesis& hypothesis, double position,
                        std::uint32_t pair);

// Returns the cos or sin of a table entry, by the hypothesis' frequencies.
double value_of(const Hypothesis& hypothesis, const TableEntry& entry);
// Returns the tolerance of a pair that is rotated by these entries, for amplitude 1. Infinite if
// one of them is before the table.
double read_tolerance(const Samples& samples, const Hypothesis& hypothesis,
                      const TableEntries& entries);

// Returns whether the hypothesis could be refuted by the angles of these samples: the slow pairs of
// a dump with far positions have nearly the same angle in every row.
bool predicts_enough(const Samples& samples, const Hypothesis& own);

// Returns whether the samples test `own` as strictly as `asked`: on every pair that tests `asked`,
// or on at least half of the pairs whose frequencies differ. For the largest θ, float32 rounding
// permits any angle, so that such a pair cannot refute anything.
bool predicts_as_much(const Samples& samples, const Hypothesis& own, const Hypothesis& asked);

// misfit() for the methods recurrence and accumulated, which step the angle in float32 from pair to
// pair or from position to position. θ may be off by a float32 unit, as with another pow. Infinite
// if a position exceeds 2^21.
double stepped_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit);

// The errors of a group of rows under a hypothesis.
struct GroupErrors {
    std::uint64_t looked = 0;  // rows compared; fewer than the group has if it was given up
    std::uint64_t wrong = 0;
    std::vector<std::size_t> first = {};  // up to 16 wrong rows, in the order of the sequence
    double worst = 0;  // largest error divided by its tolerance of the rows that are right

    void add(std::size_t row, double error);
    void append(const GroupErrors& later);
};

// Why a pair's values are not finite: q's values are not finite (given), the exact values exceed
// the format's largest number (overflow), or the rotation explains neither (memory).
enum class Loss { none, given, overflow, memory };

// Compares rows of a dump with a hypothesis. An error is relative to its tolerance: at most 1 is
// right.
class RowErrors : ArrayRows {
  public:
    // Keeps references. `arrangement` is null for tables. Dimensions outside it must be unchanged.
    RowErrors(const Dump& dump, const RowGroups& groups, const Arrangement* arrangement,
              const Samples& samples, Hypothesis hypothesis);

    // Returns the largest error of a row; infinite if a dimension outside the pairs changed.
    double error(std::size_t row);
    // The same, but any number above 1 if the error exceeds 1; and with a position on each axis
    // (an axis that `place` lacks is read as axis 0).
    double error_within(std::size_t row);
    double error_for(std::size_t row, const std::vector<double>& place);
    // Returns the error of each pair in a row.
    const std::vector<double>& pair_errors(std::size_t row);
    // Errors of the last row that was compared; loss() uses the first expected angle of the pair.
    const std::vector<double>& last_errors() const { return errors_; }
    // Returns the largest error of the dimensions outside the pairs, as multiples of the rounding
    // of 1; at least 2 if one of them changed, infinite if one is not finite.
    double rest_error() const;
    Loss loss(std::uint32_t pair) const;
    // Returns the position of a row on an axis, before it is mapped.
    double given(std::size_t row, std::uint32_t axis) const;
    bool are_both_lost(std::uint32_t pair) const;  // whether neither of its values is finite
    // Whether each dimension of the pair is the value of the hypothesis without variants, up to
    // 2^-14 of the pair's norm or 16 roundings.
    std::array<bool, 2> right_dimensions(std::uint32_t pair) const;

    // Returns the cosine of the angle between the values of the hypothesis and those of the last
    // row that pair_errors() compared.
    double cosine() const;

    // Compares every row of some groups. A group with more than `most_wrong` wrong rows is given
    // up. `threads` 0: as many as the machine has.
    std::vector<GroupErrors> sweep(const std::vector<std::size_t>& of, std::uint64_t most_wrong,
                                   unsigned threads);

  private:
    void look(const std::vector<std::size_t>& of, std::uint64_t begin, std::uint64_t end,
              std::uint64_t most_wrong, std::vector<GroupErrors>& errors);
    // The row whose vectors before the rotation belong to a row after it.
    std::size_t row_before(std::size_t row) const {
        return arrangement_ ? before_row(*arrangement_, groups_, row) : row;
    }
    // The largest error of a row at the positions given_; any number above 1 if it exceeds 1.
    double error_given(std::size_t row);
    void set_given(std::size_t row);  // sets given_ to the positions of a row
    void set_given(std::uint32_t axis, double position);
    // cos_ and sin_ at the positions given_; pairs before these are predicted already.
    void predict(PairRange pairs);
    void predict_read(PairRange pairs);
    double exact(const DimensionTerm& term, std::uint32_t pair) const;  // of the row read last
    void read(std::size_t row);
    void find_errors(PairRange pairs);  // of the row in xy_, compared with cos_ and sin_
    double worst_of(const std::vector<double>& errors) const;
    void vector_errors(PairRange pairs);
    // The least error of a pair's variants, error_of(cos, sin), over its tolerance.
    template <class ErrorOf>
    double least_error(std::uint32_t pair, const ErrorOf& error_of) const;
    double vector_error(std::uint32_t pair) const;
    double table_error(std::uint32_t pair) const;

    const Dump& dump_;
    const RowGroups& groups_;
    const Arrangement* arrangement_;
    const Samples& samples_;
    Hypothesis hypothesis_;
    std::vector<std::size_t> rest_;  // dimensions outside the pairs
    double storage_;
    std::vector<double> given_, allowed_;  // [axis]; [pair] at the positions given_
    std::uint32_t predicted_ = 0;          // number of pairs predicted at given_
    std::vector<double> cos_, sin_;  // variants × pairs, with the dump's orientation, amplitude 1
    std::vector<std::uint64_t> phases_;  // variants × pairs, 2^64ths of a turn
    std::vector<std::uint8_t> finite_;
    std::size_t variants_ = 1;
    std::vector<double> dimensions_[6];  // per pair, of both dimensions: own, partner's, written
    std::vector<double> norms_;
    std::vector<double> errors_;
    std::optional<std::size_t> row_ = {};  // the row in xy_
};

}  // namespace rope
