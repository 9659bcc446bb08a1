// What could have made a dump, and how far the dump is from it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "rope/evidence/samples.hpp"
#include "rope/number/format.hpp"

namespace rope {

// How a pair (cos, sin) of angle φ was written: as e^{iψ}, ψ = quarters·π/2 ± φ, by the enumerator
// 2·quarters + (1 if −φ).
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
// φ of an angle ψ.
inline double oriented(Orientation turn, double angle) {
    const double ahead = quarters_of(turn) * (std::numbers::pi / 2);
    return is_reversed(turn) ? ahead - angle : angle - ahead;
}

// Position p in place of m.
struct PositionMap {
    enum class Kind {
        same,
        affine,
        constant,
        clamp,
        raised,  // p = max(m, offset)
        wrap,
        run,
        quotient,  // p = ⌊m/scale⌋
        rounded,
        switched,
        signed_wrap,
        unsigned_wrap,
        magnitude,  // p = |m|
        truncated,  // p = m without its fraction
        nearest,    // p = the whole number nearest to m
        stopped,    // p = m for m < from, else 0
        chunks      // p = m + offset·⌊m/scale⌋
    };
    Kind kind = Kind::same;
    double scale = 1;  // affine: p = scale·m + offset;   run: p = scale·⌊m/scale⌋
    // signed_wrap: m modulo `offset`, from −offset/2 to offset/2 − 1; unsigned_wrap: from 0 on
    double offset =
        0;            // constant: p = offset;   clamp: p = min(m, offset);   wrap: p = m mod offset
    double from = 0;  // switched: p = m + offset for m ≥ from, else m
    Format format = Format::float32;  // rounded
    double before = 0, after = 0;     // added to m, and to p
    double operator()(double m) const;
};

// What one of several axes is given: ids of Samples::other_ids instead of its own, mapped.
struct AxisPlace {
    std::optional<std::size_t> other_ids = {};
    PositionMap map = {};
};

// Where the angle was rounded, as in Pipeline, and what was accumulated.
struct Rounding {
    enum class Method { product, recurrence, accumulated };
    Format inv_freq = Format::float32;
    Format position = Format::float32;
    Format product = Format::float32;
    Format table = Format::float64;  // float64: nothing beyond the samples' storage
    Method method = Method::product;
    RoundingMode mode = RoundingMode::nearest_even;  // of what is narrower than float32

    bool operator==(const Rounding&) const = default;
    // Then no entry is further from 0 than it should be. `mode` is that of what else is rounded.
    bool cuts_table() const {
        return *this == Rounding{.table = table, .mode = RoundingMode::toward_zero} &&
               table != Format::float64;
    }
};

struct Hypothesis {
    std::vector<double> theta;        // radians per position, of each pair
    std::vector<double> angle_k;      // the angle may be off by K·2^-24·mθ
    std::vector<std::uint32_t> axis;  // of each pair
    double amplitude = 1;
    Orientation turn = Orientation::right;
    PositionMap position = {};
    Rounding rounding = {};
    std::vector<AxisPlace> places = {};  // of each axis; empty: its own ids by `position`

    // The ids that a row of a pair is given, and what becomes of them.
    double given(const Samples& samples, std::size_t row, std::uint32_t pair) const;
    const PositionMap& map_of(std::uint32_t pair) const {
        return places.empty() ? position : places[axis[pair]].map;
    }
};

// Angles that an implementation with these roundings may arrive at: the library's pow moves
// inv_freq by a few units of 2^-24, which may tip any rounding after it. As many for every pair.
struct ExpectedAngles {
    std::array<double, 3> values;
    std::size_t count;
};
ExpectedAngles expected_angles(const Hypothesis& hypothesis, double m, std::uint32_t pair);

// How far a sample, by its modulus and angle, is from where an angle puts it.
double sample_distance(double modulus, double angle, double expected);

// The largest error over its allowance, or any beyond `limit`. Values that are not finite are
// explained only by a prediction that is not.
double misfit(const Samples& samples, const Hypothesis& hypothesis, double limit);

// How many rows from the first a hypothesis explains, whose angles are products.
std::size_t right_rows(const Samples& samples, const Hypothesis& hypothesis);

// The same of one pair.
double pair_misfit(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                   double limit);

// K of the pair at a position that the hypothesis puts in a row's place: one that was scaled is
// rounded, and so is 2^24 and beyond.
inline double angle_k_at(const Hypothesis& hypothesis, double position, std::uint32_t pair) {
    constexpr double of_rounded_position = 4;  // its scale, its product, the angle
    constexpr double of_double = 0x1p-26;      // our own angles: a few units of 2^-53
    const double k = std::max(hypothesis.angle_k[pair], of_double), size = std::abs(position);
    const PositionMap& map = hypothesis.map_of(pair);
    const bool is_scaled = map.kind == PositionMap::Kind::affine && map.scale != 1;
    const bool is_whole = !(size < 0x1p53) || size == static_cast<double>(std::int64_t(size));
    if (is_scaled || !is_whole) return std::max(k, of_rounded_position);
    return size < 0x1p24 ? k : k + 1;
}

// What storage adds to an error, and what position·θ does, for amplitude 1.
double stored_allowance(const Samples& samples, const Hypothesis& hypothesis);
inline double angle_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                              std::uint32_t pair) {
    if (!std::isfinite(position)) return 0;
    const double k = std::min(angle_k_at(hypothesis, position, pair), samples.largest_k);
    const double angle = std::abs(hypothesis.theta[pair] * position);
    // an angle that is reduced, to less than 8, and rounded to float32
    const double reduced = std::min(1.0, samples.largest_k) * 0x1p-22;
    return std::max(reduced, std::min(2.0, k * 0x1p-24 * angle));
}
// Both.
double sample_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                        std::uint32_t pair);

// How much a hypothesis says of a dump before it is looked at.

// Whether a hypothesis says enough of all pairs to be refuted: of the angles of a dump that turns
// somehow, which at far positions of slow pairs hardly differ from row to row.
bool predicts_enough(const Samples& samples, const Hypothesis& own);

// Whether `own` predicts enough to be refuted of each pair of which `asked` does, or at least of
// half of the pairs whose frequencies it changes. Where float32 may put an angle anywhere, any
// angle is explained, and none is predicted: the fastest pairs of frequencies that increase with
// the pair.
bool predicts_as_much(const Samples& samples, const Hypothesis& own, const Hypothesis& asked);

// Angles that are stepped up in float32: from position to position, or from pair to pair.

// misfit() of a hypothesis of that method. The library's pow moves θ by a few units of 2^-24, and
// every step after it. Infinite where a position is beyond 2^21.
double stepped_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit);

// A hypothesis held against rows of a dump, all of them if asked.

// What is wrong with a group by a hypothesis.
struct GroupErrors {
    std::uint64_t looked = 0;  // rows; fewer than the group has where it was given up
    std::uint64_t wrong = 0;
    std::vector<std::size_t> first =
        {};            // up to 16 of the wrong rows, in the order of the sequence
    double worst = 0;  // error over its allowance, of the rows that are right
};

// Why a pair's values are not finite: q's own are not, the exact ones are beyond the format's
// largest number, or no reason of the rotation's.
enum class Loss { none, given, overflow, memory };

class RowReplay {
  public:
    // Keeps references. `arrangement` of vectors. Lanes outside it must be as they were.
    RowReplay(const Dump& dump, const RowGroups& groups, const Arrangement* arrangement,
              const Samples& samples, Hypothesis hypothesis);

    // The largest error of a row over its allowance; infinite where a lane beside the pairs moved.
    double error(std::size_t row);
    double error_at(std::size_t row, std::size_t other);  // as if it were where that row is
    // Any number over 1 where it is more; and as if it were there on every axis.
    double error_within(std::size_t row);
    double error_for(std::size_t row, double position);
    // The same of each pair.
    const std::vector<double>& pair_errors(std::size_t row);
    // In the row looked at last; loss by one angle of a pair.
    const std::vector<double>& last_errors() const { return errors_; }
    Loss loss(std::uint32_t pair) const;

    // Every row of some groups. A group is given up when over `most_wrong` of its rows are wrong.
    // On so many threads; 0: as many as the machine has.
    std::vector<GroupErrors> sweep(const std::vector<std::size_t>& of, std::uint64_t most_wrong,
                                   unsigned threads);

  private:
    void look(const std::vector<std::size_t>& of, std::uint64_t begin, std::uint64_t end,
              std::uint64_t most_wrong, std::vector<GroupErrors>& errors);
    void prefetch(std::size_t row) const;  // what `error` will read of it
    // The largest error of a row by the places in given_; any number over 1 where it is more.
    double error_given(std::size_t row);
    void set_given(std::size_t row);                          // the places of a row
    void predict(PairRange pairs);                            // for the places in given_
    double given(std::size_t row, std::uint32_t axis) const;  // the ids of an axis there
    const std::vector<double>& errors_of(std::size_t row);
    void read(std::size_t row);
    void find_errors(PairRange pairs);  // of the row that was read, by what was predicted
    double worst_of(const std::vector<double>& errors) const;
    void vector_errors(PairRange pairs);
    double vector_error(std::uint32_t pair) const;
    double table_error(std::uint32_t pair) const;
    bool leaves_other_lanes_unchanged() const;

    const Dump& dump_;
    const RowGroups& groups_;
    const Arrangement* arrangement_;
    const Samples& samples_;
    Hypothesis hypothesis_;
    std::vector<std::size_t> rest_;  // lanes beside the pairs
    double storage_;
    std::vector<double> given_, place_, allowed_;  // of each axis, and pair, in the last row
    std::vector<double> cos_, sin_;      // variants × pairs, as the dump has them, for amplitude 1
    std::vector<std::uint64_t> phases_;  // likewise
    std::vector<std::uint8_t> finite_;
    std::size_t variants_ = 1;
    std::vector<double> lanes_[6];  // of each pair: own, partner's, written; of both lanes
    std::vector<double> norms_;
    // x and then y, where an arrangement's lanes may be of either.
    void set_width(std::size_t width) { xy_.resize(2 * (width_ = width)); }
    double* x() { return xy_.data(); }
    double* y() { return xy_.data() + width_; }
    const double* x() const { return xy_.data(); }
    const double* y() const { return xy_.data() + width_; }
    std::size_t width_ = 0;
    std::vector<double> xy_, errors_;
    std::optional<std::size_t> row_ = {};  // that xy_ has
};

}  // namespace rope
