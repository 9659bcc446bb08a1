// Dumps that are not compared with a Spec's exact frequencies: with a table, a pipeline, another
// dump or no rotation.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/number/format.hpp"
#include "rope/session/session.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// One pair of a head rotated by a row of a table as it lies, and how far roundings may move it.

// y1 = c·x1 − s·x2, y2 = s·x1 + c·x2, and rounding·(|c·x1| + |s·x2|) + the format's least step.
struct AppliedPair {
    double first, second;
    double first_allowed, second_allowed;
};

class PairApplication {
  public:
    // `rounding`: of both products and their sum, relative.
    PairApplication(Format format, double rounding)
        : rounding_(rounding),
          least_(std::ldexp(1, smallest_exponent(format) - precision_bits(format) + 2)) {}

    AppliedPair operator()(double c, double s, double x1, double x2) const {
        const double c1 = c * x1, s2 = s * x2, s1 = s * x1, c2 = c * x2;
        return {c1 - s2, s1 + c2, rounding_ * (std::abs(c1) + std::abs(s2)) + least_,
                rounding_ * (std::abs(s1) + std::abs(c2)) + least_};
    }

  private:
    double rounding_, least_;
};

// Reports of dumps that are judged by no Spec's exact frequencies.

// What was judged, without findings.
Report report_on(const Spec& spec, const RotatedDump& vectors, const SessionOptions& options);
Report report_on(const Spec& spec, const TableDump& table, const SessionOptions& options);

// pass-through of every lane beside rotary_dim.
Finding find_passed_lanes(const Spec& spec, const RotatedDump& vectors);

// Whether `only` leaves this check in.
bool is_asked(const std::vector<std::string>& only, std::string_view check);

// Throws InputError when `only` names another check than these, which alone apply to `what`.
void require_checks(const std::vector<std::string>& only,
                    std::initializer_list<std::string_view> these, const std::string& what);

// A table applied to vectors as it lies, and how far off what they became is.

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

// Vectors that must be rotated by the table that they came with, whatever it holds.

// Where vectors rotate: head_dim, rotary_offset and direction of `place`; rotary_dim is the
// table's. Without a layout any that explains every value.
struct TableUse {
    Spec place;
    std::optional<PairLayout> layout = {};
    std::string from = "the config";  // that layout is
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

// A dump held against what a faulty pipeline computes, not against the truth: whether it is what
// that implementation does.

// Whether every angle of the pipeline is one number whoever computes it: positions and inv_freq are
// rounded so coarsely that no library's last unit is left, and only cos and sin may differ by one.
bool is_reproducible(const Pipeline& pipeline);

// table-accuracy, |value − pipeline's value| ≤ one unit of the table's format at 1, in vectors
// times |x1| + |x2| beside the roundings of y; and pass-through. Requires is_reproducible, a table
// or vectors of the Spec's widths, and whole positions from 0 on.
Report judge_by_pipeline(const Spec& spec, const Dump& dump, const Pipeline& pipeline,
                         const SessionOptions& options = {});

// Whether judge_by_pipeline applies to the dump's positions.
bool has_table_positions(const Dump& dump);

// A dump held against another one of the same vectors or the same table, which counts as right.

// table-accuracy, |value − reference's value| ≤ the roundings of both: of each pair's norm ρ in the
// reference, ρ·(rotation_rounding or table_rounding + K·2^-24·|m|·θ) of either. Where the reference
// does not rotate by the Spec, no pairs are known: ρ is then that of the row's largest value, and
// θ that of the pair with the largest error. Where it does, what is violated is diagnosed by the
// Spec at the reference's positions. Throws InputError where the dumps have other shapes, or other
// vectors before the rotation.
Report judge_against(const Spec& spec, const Dump& dump, const Dump& reference,
                     const CompareOptions& how = {}, const SessionOptions& options = {});

// Vectors that must not rotate at all: rotary_dim 0.

// One finding, pass-through of every lane, and where they do rotate by which Spec. Throws
// InputError of a table or frequencies, which say nothing of lanes that do not rotate, and where
// `only` leaves nothing to check.
Report judge_stillness(const Spec& spec, const Dump& dump, const SessionOptions& options);

}  // namespace rope
