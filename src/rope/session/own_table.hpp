// Vectors that must be rotated by the table that they came with, whatever it holds.
#pragma once

#include <optional>
#include <string>

#include "rope/session/session.hpp"

namespace rope {

// Where vectors rotate: head_dim, rotary_offset and direction of `place`; rotary_dim is the
// table's. Without a layout any that explains every value.
struct TableUse {
    Spec place;
    std::optional<PairLayout> layout = {};
    std::string from = "the Spec";  // that layout is
};

// The first layout by which the table explains every value; none where none does. Throws
// InputError as judge_by_table() does.
std::optional<PairLayout> layout_by_table(const TableUse& use, const RotatedDump& vectors,
                                          const TableDump& table);

// table-accuracy, |y − R(table)x| ≤ 2u(|c·x1| + |s·x2|) of each lane, a rounding of the table more
// where it is finer than the vectors; pass-through; and where the first is violated by which other
// use of the table the vectors were rotated. Throws InputError when a position has no row, or two
// that differ, or the table is wider than a head.
Report judge_by_table(const TableUse& use, const RotatedDump& vectors, const TableDump& table,
                      const SessionOptions& options = {});

}  // namespace rope
