// Rows and values that no rotation produces, and observations on dumps that no known mistake
// explains.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {

// The rows of a dump as they are, and as memory that was never written looks.

// Whether it holds of every row of the part.
template <class Holds>
bool every_row(const DumpPart& part, const Holds& holds) {
    for (const std::size_t group : part.groups)
        for (std::uint64_t index = 0; index < part.rows.length(); ++index)
            if (!holds(part.rows.row(group, index))) return false;
    return true;
}

// A row of a dump as it is, and what it should be a rotation of; of tables the identity's.
class RowValues {
  public:
    explicit RowValues(const Dump& dump)
        : is_table_(std::holds_alternative<TableDump>(dump)),
          before_(is_table_ ? std::get<TableDump>(dump).cos : std::get<RotatedDump>(dump).before),
          after_(is_table_ ? std::get<TableDump>(dump).sin : std::get<RotatedDump>(dump).after) {
        const std::uint64_t width =
            is_table_ ? std::get<TableDump>(dump).pairs
                      : before_.size() / std::get<RotatedDump>(dump).positions.size();
        x_.resize(width);
        y_.resize(width);
    }
    void read(std::size_t row) {
        before_.read(row, 0, x_.size(), x_.data());
        after_.read(row, 0, y_.size(), y_.data());
    }
    bool is_zero() const {
        const auto zero = [](double value) { return value == 0; };
        return (!is_table_ || std::all_of(x_.begin(), x_.end(), zero)) &&
               std::all_of(y_.begin(), y_.end(), zero);
    }
    bool has_no_value() const { return !is_table_ && norm(x_) == 0; }
    bool is_still() const {
        if (!is_table_) return x_ == y_;
        return std::all_of(x_.begin(), x_.end(), [](double c) { return c == 1; }) &&
               std::all_of(y_.begin(), y_.end(), [](double s) { return s == 0; });
    }
    bool is_finite() const {
        const auto finite = [](double value) { return std::isfinite(value); };
        return std::all_of(x_.begin(), x_.end(), finite) &&
               std::all_of(y_.begin(), y_.end(), finite);
    }
    // Values that no rotation has: not finite, or far larger than what was rotated.
    bool is_memory() const {
        const double most = 8 * (is_table_ ? std::sqrt(static_cast<double>(x_.size())) : norm(x_));
        const double norm_now = is_table_ ? portable::hypot(norm(x_), norm(y_)) : norm(y_);
        return !(norm_now <= most) || norm_now == 0;
    }

  private:
    static double norm(const std::vector<double>& values) {
        double sum = 0;
        for (const double value : values) sum += value * value;
        return std::sqrt(sum);
    }
    bool is_table_;
    const StridedRows &before_, &after_;
    std::vector<double> x_, y_;  // of a table cos and sin
};

// Rows and values that no rotation produces: not rotated, never written, or cut off.

// The error over its allowance of the Spec's own reading.
double asked_misfit(const DumpReading& reading);

// Every row is as it was, or is zero.
std::optional<Explanation> explain_stillness(const DumpReading& reading, const DumpPart& part);

// As asked up to some position, and zero or memory of something else from there on; or as asked but
// for values that are not finite.
std::optional<Explanation> explain_damage(const DumpReading& reading, const DumpPart& part);

// Rows that were never written among others that are right.

// Where at least half of the rows are as `asked`, and each other is zero or memory: a page of a
// cache, a block that a kernel left out. What is not finite is lost_values()'. `before` is the
// misfit of all.
std::optional<Explanation> unwritten_rows(const DumpPart& part, RowReplay& asked, double before);

// Values of a dump that are not finite, and why.

struct LostValues {
    std::uint64_t values = 0;  // of all pairs, finite or not
    // Pairs by the reason why they are not finite: row_replay.hpp.
    std::uint64_t given = 0, overflow = 0, memory = 0;
    std::optional<std::size_t> first_given = {};  // the row
    // The pair that memory is in: of one alone, in every row.
    std::optional<std::uint32_t> pair = {};
    bool else_right = true;  // every other value is as asked
    double after = 0;        // the largest error over its allowance of these
};

// Gives up where another value is wrong, if asked.
LostValues lost_values(const DumpPart& part, RowReplay& asked, bool until_wrong);

// A sentence about values that q or the format has lost; empty where there are none.
std::vector<std::string> lost_observations(const DumpReading& reading, const DumpPart& part);

// What is known of a dump that nothing explains.

// A plain sentence each, six at most.
std::vector<std::string> observations(const DumpReading& reading);
// The same of a part, over all its rows; `wrong_pairs` are known to be.
std::vector<std::string> observations(const DumpReading& reading, const DumpPart& part,
                                      const std::vector<std::uint32_t>& wrong_pairs);

// Pairs of which one lane alone is as the Spec asks.

// A sentence where that is the same lane of every pair; of one axis. Requires the Spec's reading.
std::vector<std::string> lane_observations(const DumpReading& reading, const DumpPart& part);

}  // namespace rope
