// The rows of a dump as they are, and as memory that was never written looks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {

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
    bool says_nothing() const { return !is_table_ && norm(x_) == 0; }
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

}  // namespace rope
