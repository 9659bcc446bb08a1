// A table applied to vectors as it lies, and how far off what they became is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

enum class TableRow { own, row_number, next, previous };  // of a vector's position

// One way to apply a table.
struct TableApplication {
    Spec place;
    bool swapped = false;  // cos and sin
    TableRow row = TableRow::own;
};

class TableReplay {
  public:
    // Keeps references. Throws InputError where a position has two rows that differ, or the
    // vectors' positions are on other axes.
    TableReplay(const RotatedDump& vectors, const TableDump& table);

    // Every lane that rotates. Throws InputError where a position has no row.
    WorstCase judge(const TableApplication& how) const;
    // Whether every lane is within its allowance; false where a position has no row.
    bool explains(const TableApplication& how) const;

  private:
    using Position = std::vector<decltype(RotatedDump::positions)::value_type>;

    Position position(std::uint64_t row, TableRow from) const;
    std::optional<std::uint64_t> table_row(std::uint64_t row, TableRow from) const;
    template <class Visit>
    bool visit_lanes(const TableApplication& how, const Visit& visit) const;

    const RotatedDump& vectors_;
    const TableDump& table_;
    bool by_grid_;  // both have a row of their own for each batch entry and index
    std::map<Position, std::uint64_t> rows_;
};

}  // namespace rope
