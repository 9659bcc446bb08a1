// A few positions and random vectors, with the subject's rows, for checks that need vectors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "rope/checks/comparison.hpp"
#include "rope/rows/exact_rows.hpp"

namespace rope {

struct QueryAndKey {
    std::vector<double> q = {}, k = {};  // head_dim each, before rotation
    bool are_normal = false;             // standard normal ones from a seed
};
QueryAndKey random_vectors(const Spec& spec, std::uint64_t seed);

struct Sample : QueryAndKey {
    std::vector<double> positions = {};  // ascending, distinct
    std::vector<double> suspects = {};   // positions at which a check of all rows found an error
    std::vector<double> positions_and_suspects() const {
        std::vector<double> all = positions;
        all.insert(all.end(), suspects.begin(), suspects.end());
        return all;
    }

    // The subject's rows at the positions and suspects, and at sums of two positions if it has
    // them; rotary_dim/2 values each.
    struct Row {
        std::vector<double> cos, sin;
        // 1 for pairs that the subject does not determine; they have the values of its fitted
        // frequencies. Empty if there are none.
        std::vector<std::uint8_t> left_out = {};

        bool is_left_out(std::size_t i) const { return !left_out.empty() && left_out[i] != 0; }
    };
    std::map<double, Row> rows = {};

    const Row* row(double position) const;
    // Best rows at `positions` and `suspects` whose row in `rows` exceeds its tolerance, if other
    // heads or batch entries have the same position.
    std::map<double, Row> best_rows = {};
};

// Rows of a subject by position. Heads and batch entries repeat a position; the worst of their rows
// is used, so that a fault in any of them is found.
class PositionRows {
  public:
    // Keeps references to the comparison.
    explicit PositionRows(const Comparison& comparison);

    bool has(double position) const;

    struct Rows {
        Sample::Row worst;                // the row farthest from the exact values
        std::optional<Sample::Row> best;  // if `worst` exceeds its tolerance and others exist
    };
    // Requires has(position). The result is valid until the next call.
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

// Returns a sample of the subject. Ignores `suspects` at which it has no row.
Sample make_sample(const Comparison& comparison, const std::vector<double>& suspects = {});

}  // namespace rope
