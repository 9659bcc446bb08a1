// Rows and values that no rotation produces, and observations about dumps that are not explained.
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

// Returns whether `holds` is true of every row of the part.
template <class Holds>
bool every_row(const DumpPart& part, const Holds& holds) {
    for (const std::size_t group : part.groups)
        for (std::uint64_t index = 0; index < part.rows.length(); ++index)
            if (!holds(part.rows.row(group, index))) return false;
    return true;
}

// A row of a dump: x before and y after the rotation; for tables cos and sin.
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
    // Whether the values are not finite, or too large for a rotation, as in memory that was never
    // written.
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
    std::vector<double> x_, y_;  // for a table cos and sin
};

// Returns the largest error of the samples under the Spec, divided by its tolerance.
double asked_misfit(const DumpReading& reading);

// Explains a part in which every row is zero, or equals its vector before the rotation.
std::optional<Explanation> explain_stillness(const DumpReading& reading, const DumpPart& part);

// Explains rows that are right up to some position and zero or unwritten memory from there on, or
// values that are not finite among right ones.
std::optional<Explanation> explain_damage(const DumpReading& reading, const DumpPart& part);

// Explains a part in which at least half of the rows match `asked` and each other one is zero or
// unwritten memory: a page of a cache, or a block that a kernel left out. Values that are not
// finite belong to lost_values(). `before`: the error of all rows.
std::optional<Explanation> unwritten_rows(const DumpPart& part, RowReplay& asked, double before);

// Counts of pairs of values over all rows of a part.
struct LostValues {
    std::uint64_t values = 0;  // finite or not
    // Not finite, by cause: see Loss.
    std::uint64_t given = 0, overflow = 0, memory = 0;
    std::optional<std::size_t> first_given = {};  // first row with Loss::given
    // The pair with Loss::memory, if it is the only one and has it in every row.
    std::optional<std::uint32_t> pair = {};
    bool else_right = true;  // every other value matches the Spec
    double after = 0;        // their largest error divided by its tolerance
};

// `until_wrong`: returns at the first other value that is wrong.
LostValues lost_values(const DumpPart& part, RowReplay& asked, bool until_wrong);

// Returns sentences about values lost in q or by overflow; empty if there are none.
std::vector<std::string> lost_observations(const DumpReading& reading, const DumpPart& part);

// Returns at most six sentences about a dump that is not explained.
std::vector<std::string> observations(const DumpReading& reading);
// The same for a part, over all its rows. `wrong_pairs` are taken to be wrong.
std::vector<std::string> observations(const DumpReading& reading, const DumpPart& part,
                                      const std::vector<std::uint32_t>& wrong_pairs);

// Returns a sentence if in every pair the same one of its two dimensions matches the Spec and the
// other does not. For one axis; requires the Spec's reading.
std::vector<std::string> lane_observations(const DumpReading& reading, const DumpPart& part);

}  // namespace rope
