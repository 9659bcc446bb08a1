// By how much of its angle each slow pair of a dump turns: one whose angles are so small that an
// allowance for each value, half a spacing of 1 in 16 bits, hides them.
//
// A lane is off by e = y − y(φ). If the pair turns at r times its rate, e = (r − 1)·D + rounding,
// with D = φ·dy/dφ and |rounding| ≤ ε: small_turn.hpp. Least squares over the lanes with |D| ≥ 4ε,
// which are chosen by x and the Spec alone, and weights of 1/ε²:
//     r − 1 = Σ eD/ε² / Σ D²/ε²,     off by at most Σ |D|/ε / Σ D²/ε² ≤ ¼,
// however the roundings depend on each other, as those of one position's cos and sin do.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "rope/comparison/small_turn.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

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
    // By which x moves where it is rounded to the format of y.
    double moved(double x) const;

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

// |r − 1| as a share of what is allowed; 0 without lanes.
double share_off(const RateSum& sum, const SlowPair& pair);
// Whether r = 1 is out of the question.
inline bool is_odd(const RateSum& sum, const SlowPair& pair) { return share_off(sum, pair) > 1; }

}  // namespace rope
