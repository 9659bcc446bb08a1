// A few positions and random vectors on which a subject is put to use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/checks/comparison.hpp"
#include "rope/suite/audit.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

struct Sample {
    std::vector<double> positions;  // ascending, without repeats
    std::vector<double> q, k;       // head_dim each, standard normal from the seed
    std::vector<double> suspects;   // at which a check of all rows found an error
    std::vector<double> positions_and_suspects() const {
        std::vector<double> all = positions;
        all.insert(all.end(), suspects.begin(), suspects.end());
        return all;
    }

    // Rows of the subject (rotary_dim/2 values each) at the positions and suspects, and at the sums
    // of two positions as far as the subject has those.
    struct Row {
        std::vector<double> cos, sin;
        // Pairs of which the subject says nothing: their values are as its own frequencies have
        // them. Empty: none
        std::vector<std::uint8_t> left_out = {};

        bool is_left_out(std::size_t i) const { return !left_out.empty() && left_out[i] != 0; }
    };
    std::map<double, Row> rows;

    const Row* row(double position) const;
    // Of `positions` and `suspects`, where the row above is outside its tolerance and other heads
    // or batch entries have the same position: their best row.
    std::map<double, Row> best_rows;
};

// The rows of a subject by position. Heads and batch entries repeat a position; the worst of their
// rows represents it, so that a fault of any of them shows.
class PositionRows {
  public:
    // Keeps references.
    explicit PositionRows(const Comparison& comparison);

    bool has(double position) const;

    struct Rows {
        Sample::Row worst;                // the farthest from the truth
        std::optional<Sample::Row> best;  // where `worst` is outside its tolerance, and another
    };
    // Requires has(position). Valid until the next call.
    const Rows& at(double position);

  private:
    struct Range {
        std::uint64_t first, end;
    };
    Range range_of(double position) const;
    Sample::Row read(std::uint64_t row);
    Rows worst_and_best(double position, const Range& range);
    bool is_within_tolerance(double position, const Sample::Row& row,
                             const Sample::Row& truth) const;

    const Comparison& comparison_;
    std::unique_ptr<RowReader> reader_;
    RealRows truth_;
    double position_ = 0;
    std::optional<Rows> last_;
};

// q and k alone.
Sample random_vectors(const Spec& spec, std::uint64_t seed);

// Of `suspects` those that the subject has.
Sample make_sample(const Comparison& comparison, const std::vector<double>& suspects = {});

// The head or batch entry that a program treats unlike others.

// "batch entry 1, head 2", whose sequence is the farthest from the rotation asked for, or "head 2"
// where those of all its batch entries are off, and no others; empty where every group is off, or
// none.
std::string odd_group(const Comparison& comparison, const Answers& answers);

}  // namespace rope
