// By how much of its angle each slow pair of a 16-bit dump rotates, and the pairs that rotate
// otherwise than the Spec asks, in words.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// A pair of lanes turned by an angle, and by how much the number formats on the way may move it.

class TurnFormats {
  public:
    // Of x, the products and y; and of cos and sin.
    TurnFormats(Format values, Format table, double amplitude = 1);

    Format values() const { return values_; }
    double amplitude() const { return amplitude_; }
    double roundoff_of_values() const { return u_; }
    double roundoff_of_table() const { return u_table_; }
    double roundoff() const { return u_ > u_table_ ? u_ : u_table_; }  // the coarser one
    // What may become 0 of a value, and of a cos or sin.
    double lost(double value) const;
    double lost_of_table(double value) const;

    double scale_rounding = 0;  // of what y was divided by, in proportion
    Roundings roundings = Roundings::once;

  private:
    Format values_;
    double amplitude_, u_, u_table_, least_, least_of_table_;
};

struct TurnedLane {
    double value;
    double slope;  // dy/dφ·φ: by how much it changes per change of the rate, in proportion
    double error;  // by which rounding may move it, at most
};

// y1 = C·x1 − S·x2, y2 = C·x2 + S·x1 with C = a·cos φ, S = a·sin φ
class SmallTurn {
  public:
    SmallTurn(double angle, const TurnFormats& formats);

    struct Turned {
        TurnedLane first, second;
    };
    // The values and slopes alone, and then their errors; x1 and x2 moved by as much as that when
    // they were rounded to the format of the values.
    Turned of(double x1, double x2) const;
    void add_errors(Turned& turned, double x1, double x2, double moved1, double moved2) const;

  private:
    // Of C and S, and of a product with them, in proportion to x.
    struct Errors {
        double c, s;
    };
    Errors errors() const;
    double error_of(const Errors& errors, double value, double same, double other,
                    double moved_same, double moved_other) const;

    const TurnFormats& formats_;
    double angle_, c_, s_;
};

// By how much of its angle each slow pair of a dump turns: one whose angles are so small that an
// allowance for each value, half a spacing of 1 in 16 bits, hides them.
//
// A lane is off by e = y − y(φ). If the pair turns at r times its rate, e = (r − 1)·D + rounding,
// with D = φ·dy/dφ and |rounding| ≤ ε: small_turn.hpp. Least squares over the lanes with |D| ≥ 4ε,
// which are chosen by x and the Spec alone, and weights of 1/ε²:
//     r − 1 = Σ eD/ε² / Σ D²/ε²,     off by at most Σ |D|/ε / Σ D²/ε² ≤ ¼,
// however the roundings depend on each other, as those of one position's cos and sin do.

class RateSum {
  public:
    void add(double e, const TurnedLane& lane) {
        const double d = lane.slope / lane.error;
        moved_ += e / lane.error * d;
        size_ += d * d;
        error_ += std::abs(d);
        ++lanes_;
    }
    void add(const RateSum& other) {
        moved_ += other.moved_;
        size_ += other.size_;
        error_ += other.error_;
        lanes_ += other.lanes_;
    }
    std::uint64_t lanes() const { return lanes_; }
    // Require a lane.
    double deviation() const { return moved_ / size_; }  // r − 1
    double allowed() const { return error_ / size_; }
    // Six standard deviations of r − 1, where roundings within ±ε depend on none of each other.
    double likely() const { return 6 / std::sqrt(3 * size_); }

  private:
    double moved_ = 0, size_ = 0, error_ = 0;
    std::uint64_t lanes_ = 0;
};

struct SlowPair {
    std::uint32_t pair;
    std::uint32_t axis;
    double theta;
    // r − 1 that is allowed beside rounding of the result: inv_freq, position and their product,
    // each rounded to 16 bits, in float16 inv_freq below its normal numbers; and what float32 does.
    double tolerance;
};

// The lanes of the slow pairs, row by row.
class SlowTurns {
  public:
    // Keeps a reference to the dump. `table`: what cos and sin may have been rounded to.
    SlowTurns(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table);

    // Those that no row turns by more than a quarter of a radian, and the Spec turns at all.
    const std::vector<SlowPair>& pairs() const { return pairs_; }
    std::uint64_t groups() const;  // batch entries × heads; 1 where they are too many
    const TurnFormats& formats() const { return formats_; }
    const RowGrid& grid() const;

    struct Turn {
        std::size_t k;        // of pairs()
        std::uint64_t group;  // batch entry and head, counted on
        double position, angle, x1, x2, y1, y2;
    };
    // Rows at position 0 turn nothing, nor do pairs of zeros.
    void for_each(const std::function<void(const Turn&)>& visit) const;
    // By which x of the turn moved: where it is rounded to the format of y, where it already was,
    // or where a rotation's results were.
    double moved(double x, const Turn& turn) const;

  private:
    std::uint64_t group_of(std::uint64_t row) const;
    template <class AnyDump, class Read>
    void visit_rows(const AnyDump& dump, const Read& read,
                    const std::function<void(const Turn&)>& visit) const;

    const Dump& dump_;
    TurnFormats formats_;
    std::vector<SlowPair> pairs_;
    std::vector<std::pair<Lanes, Lanes>> lanes_;  // of each, read and written
};

// Of each slow pair, in every group.
struct TurnRates {
    std::vector<std::vector<RateSum>> of;  // by k of pairs() and group
    std::vector<RateSum> of_pair;          // in all groups
    std::vector<double> farthest;          // position of a lane that counted, by k
};
// Of those for which it `counts`, as if pairs()[k] were to turn at rate[k] times its own.
TurnRates turn_rates(const SlowTurns& turns,
                     const std::function<bool(const SlowTurns::Turn&)>& counts = {},
                     const std::vector<double>& rate = {});
// The lanes of one, where they count.
void add_turn(RateSum& sum, const SlowTurns& turns, const SlowTurns::Turn& turn, double rate = 1);

// A table or vectors of 16 bits, of which each value's own allowance may hide a slow pair.
bool is_in_16_bits(const Dump& dump, Format table);

// |r − 1| that rounding explains: of one rounding at most, of more as likely. Requires a lane.
double rounding_of(const RateSum& sum, Roundings roundings);
// |r − 1| as a share of what is allowed; 0 without lanes.
double share_off(const RateSum& sum, const SlowPair& pair, Roundings roundings = Roundings::once);
// Whether r = 1 is out of the question.
inline bool is_odd(const RateSum& sum, const SlowPair& pair,
                   Roundings roundings = Roundings::once) {
    return share_off(sum, pair, roundings) > 1;
}

// Slow pairs that do not turn as asked, in words.

enum class Turning { still, backwards, at_another_rate, at_no_rate };

// Pairs that turn alike, of the same heads and rows.
struct OddTurn {
    std::vector<std::uint32_t> pairs;
    Turning turning = Turning::at_no_rate;
    double least_rate = 0, most_rate = 0;  // over the Spec's
};

struct OddTurns {
    std::vector<OddTurn> turns;               // by their first pair
    std::vector<std::size_t> groups;          // heads or batch entries, where others turn as asked
    std::vector<double> positions;            // likewise
    std::vector<std::uint32_t> undetermined;  // pairs that no value tells
};

// Slow pairs whose rate no lane tells.
std::vector<std::uint32_t> undetermined_pairs(const SlowTurns& turns, const TurnRates& rates);

// Of pairs that is_odd() finds in `rates`, in all groups together or in one.
OddTurns odd_turns(const SlowTurns& turns, const TurnRates& rates);

// "no value tells whether pairs 61, 63 of 64 turn"
std::string undetermined_in_words(const std::vector<std::uint32_t>& pairs, const Spec& spec);

// "head 1: pairs 40–63 of 64 do not rotate, at positions 32–63"
std::string in_words(const OddTurns& odd, const Spec& spec, const RowGrid& grid);

}  // namespace rope
