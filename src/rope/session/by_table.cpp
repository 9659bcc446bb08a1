#include <algorithm>
#include <cmath>
#include <map>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/checks/check.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/other_judges.hpp"

namespace rope {
namespace {

bool has_equal_rows(const TableDump& table, std::uint64_t a, std::uint64_t b) {
    for (std::uint32_t i = 0; i < table.pairs; ++i)
        if (table.cos.at(a, i) != table.cos.at(b, i) || table.sin.at(a, i) != table.sin.at(b, i))
            return false;
    return true;
}

bool has_equal_grids(const RotatedDump& vectors, const TableDump& table) {
    const RowGrid &one = vectors.grid, &other = table.grid;
    if (other.batch.length < 2 || one.batch.length != other.batch.length ||
        one.sequence.length != other.sequence.length)
        return false;
    for (std::uint64_t row = 0; row < vectors.positions.size(); ++row)
        if (DumpedRows(vectors).position(row) !=
            DumpedRows(table).position(one.batch.of(row) * other.batch.stride +
                                       one.sequence.of(row) * other.sequence.stride))
            return false;
    return true;
}

// Returns the rounding of both products and their sum, and of a cast to the vectors' format.
double roundings(const RotatedDump& vectors, const TableDump& table) {
    const double u = unit_roundoff(vectors.format);
    const bool is_cast = unit_roundoff(table.format) < u;
    const bool is_ours = vectors.format == Format::float64;  // our rounding counts too
    return (2 + (is_cast ? 1 : 0) + (is_ours ? 2 : 0)) * u * (1 + 4 * u);
}

enum class TableRow { own, row_number, next, previous };  // of a vector's position

// One way to apply a table.
struct TableApplication {
    Spec place;
    bool swapped = false;  // cos and sin
    TableRow row = TableRow::own;
};

// A table applied to vectors in its stored layout, and the error of the results.
class TableUses {
  public:
    // Keeps references. Throws InputError if a position has two rows that differ, or the
    // vectors' positions are on other axes.
    TableUses(const RotatedDump& vectors, const TableDump& table)
        : vectors_(vectors), table_(table), by_grid_(has_equal_grids(vectors, table)) {
        if (vectors.more_positions.size() != table.more_positions.size())
            throw InputError("the vectors' positions are on " +
                             decimal(vectors.more_positions.size() + 1) + " axes, the table's on " +
                             decimal(table.more_positions.size() + 1));
        for (std::uint64_t row = 0; !by_grid_ && row < table.positions.size(); ++row) {
            const auto [at, is_new] = rows_.try_emplace(DumpedRows(table).position(row), row);
            if (!is_new && !has_equal_rows(table, at->second, row))
                throw InputError("the table's rows " + decimal(at->second) + " and " +
                                 decimal(row) + " are both for position " + join(at->first) +
                                 " and differ");
        }
    }

    // Every dimension that rotates. Throws InputError if a position has no row.
    WorstCase judge(const TableApplication& how) const {
        WorstCase worst;
        const auto visit = [&](std::uint64_t row, std::uint32_t pair, double got, double want,
                               double allowed) {
            worst.judge_value(got, want, allowed, vectors_.positions[row], pair);
            return true;
        };
        if (!visit_dimensions(how, visit))
            for (std::uint64_t row = 0; row < vectors_.positions.size(); ++row)
                if (!table_row(row, how.row))
                    throw InputError("position " + join(position(row, how.row)) +
                                     " of the vectors has no row in the table");
        worst.add_samples(vectors_.positions.size() * table_.pairs * 2);
        return worst;
    }

    // Whether every dimension is within its tolerance; false if a position has no row.
    bool explains(const TableApplication& how) const {
        return visit_dimensions(
            how, [](std::uint64_t, std::uint32_t, double got, double want, double allowed) {
                return std::abs(got - want) <= allowed;
            });
    }

  private:
    using Position = std::vector<double>;

    Position position(std::uint64_t row, TableRow from) const {
        Position all = DumpedRows(vectors_).position(row);
        if (from == TableRow::next) ++all[0];
        if (from == TableRow::previous) --all[0];
        if (from == TableRow::row_number)
            all[0] = static_cast<double>(vectors_.grid.sequence.of(row));
        return all;
    }

    std::optional<std::uint64_t> table_row(std::uint64_t row, TableRow from) const {
        if (by_grid_ && from == TableRow::own)
            return vectors_.grid.batch.of(row) * table_.grid.batch.stride +
                   vectors_.grid.sequence.of(row) * table_.grid.sequence.stride;
        const auto found = rows_.find(position(row, from));
        return found == rows_.end() ? std::nullopt : std::optional(found->second);
    }

    template <class Visit>
    bool visit_dimensions(const TableApplication& how, const Visit& visit) const {
        const double rounding = roundings(vectors_, table_), least = least_step(vectors_.format);
        PairReader values(how.place, vectors_);
        std::vector<double> cos(table_.pairs), sin(table_.pairs);
        for (std::uint64_t row = 0; row < vectors_.positions.size(); ++row) {
            const auto from = table_row(row, how.row);
            if (!from) return false;
            values.read(row);
            table_.cos.read(*from, 0, table_.pairs, cos.data());
            table_.sin.read(*from, 0, table_.pairs, sin.data());
            if (how.swapped) cos.swap(sin);
            for (std::uint32_t i = 0; i < table_.pairs; ++i) {
                const auto [x1, x2, y1, y2] = values[i];
                const AppliedPair want = applied_pair(cos[i], sin[i], x1, x2, rounding, least);
                if (!visit(row, i, y1, want.first, want.first_allowed) ||
                    !visit(row, i, y2, want.second, want.second_allowed))
                    return false;
            }
        }
        return true;
    }

    const RotatedDump& vectors_;
    const TableDump& table_;
    bool by_grid_;  // both have a row of their own for each batch entry and index
    std::map<Position, std::uint64_t> rows_;
};

constexpr PairLayout layouts[] = {PairLayout::half_split, PairLayout::interleaved,
                                  PairLayout::interleaved_to_half_split};

std::vector<NamedMistake> mistakes_of(const TableApplication& how, const Spec& asked) {
    std::vector<NamedMistake> all;
    if (how.place.layout != asked.layout)
        all.push_back(layout_mistake(how.place.layout, asked.layout));
    if (how.place.direction != asked.direction) all.push_back(named("direction"));
    if (how.swapped) all.push_back(named("cos-sin-swapped"));
    const Parameters of_table{{"table", 1.0}};
    if (how.row == TableRow::row_number)
        all.push_back(named("position-source", {{"source", "row number"}}, of_table));
    if (how.row == TableRow::next || how.row == TableRow::previous)
        all.push_back(named("position-offset", {{"offset", how.row == TableRow::next ? 1.0 : -1.0}},
                            of_table));
    return all;
}

std::vector<TableApplication> applications(const Spec& asked) {
    std::vector<TableApplication> all;
    const Direction other =
        asked.direction == Direction::forward ? Direction::reverse : Direction::forward;
    for (const PairLayout layout : layouts)
        for (const bool swapped : {false, true})
            for (const Direction direction : {asked.direction, other})
                for (const TableRow row :
                     {TableRow::own, TableRow::row_number, TableRow::next, TableRow::previous}) {
                    all.push_back({asked, swapped, row});
                    all.back().place.layout = layout;
                    all.back().place.direction = direction;
                }
    std::ranges::stable_sort(
        all, {}, [&](const TableApplication& how) { return mistakes_of(how, asked).size(); });
    return all;
}

void diagnose_use(Report& report, const TableUses& uses, double before) {
    for (const TableApplication& how : applications(report.spec)) {
        if (!uses.explains(how)) continue;
        const Finding after = finding_of("table-accuracy", uses.judge(how));
        for (const NamedMistake& one : mistakes_of(how, report.spec))
            report.diagnosis.push_back(explanation_of(one, before, times_over(after)));
        return;
    }
    report.observations.push_back(
        "no layout, direction, exchange of cos and sin, or choice of the "
        "table's rows explains every value");
}

std::optional<PairLayout> layout_by(Spec place, const TableUses& uses) {
    for (const PairLayout layout : layouts) {
        place.layout = layout;
        if (uses.explains({place})) return layout;
    }
    return std::nullopt;
}

// Returns "i and i + 32 differ (first in row 0, columns 0 and 32)" for a table as wide as a head.
std::string differing_columns(const TableDump& table) {
    const std::uint32_t half = table.pairs / 2;
    for (std::size_t row = 0; row < table.positions.size(); ++row)
        for (std::uint32_t i = 0; i < half; ++i)
            if (table.cos.at(row, i) != table.cos.at(row, i + half) ||
                table.sin.at(row, i) != table.sin.at(row, i + half))
                return "i and i + " + decimal(half) + " differ (first in row " + decimal(row) +
                       ", columns " + decimal(i) + " and " + decimal(i + half) + ")";
    return "are for twice as many";
}

// Returns the Spec with the table's rotary_dim.
Spec place_by(const TableUse& use, const TableDump& table) {
    Spec place = use.place;
    place.rotary_dim = 2 * table.pairs;
    if (table.pairs == place.head_dim && table.pairs % 2 == 0)
        throw InputError(table.origin + ": cos and sin have " + decimal(table.pairs) +
                         " columns for heads of " + decimal(place.head_dim) +
                         " dimensions, but columns " + differing_columns(table) +
                         ": no rotation has such a table");
    if (place.rotary_dim + place.rotary_offset > place.head_dim)
        throw InputError("the table is for rotary_dim " + decimal(place.rotary_dim) +
                         "; heads have " + decimal(place.head_dim) + " dimensions");
    return place;
}

}  // namespace

Finding find_passed_dimensions(const Spec& spec, const RotatedDump& vectors) {
    return finding_of("pass-through", worst_of_passed_dimensions(spec, vectors));
}

bool is_asked(const std::vector<std::string>& only, std::string_view check) {
    return only.empty() || std::ranges::find(only, check) != only.end();
}

void require_checks(const std::vector<std::string>& only,
                    std::initializer_list<std::string_view> these, const std::string& what) {
    for (const std::string& id : only)
        if (std::ranges::find(these, find_check(id).id) == these.end())
            throw InputError("only " + join(these, {}, " and ")
                                           .append(these.size() == 1 ? " applies" : " apply")
                                           .append(" to ")
                                           .append(what)
                                           .append(", not ")
                                           .append(id));
}

std::optional<PairLayout> layout_by_table(const TableUse& use, const RotatedDump& vectors,
                                          const TableDump& table) {
    return layout_by(place_by(use, table), TableUses(vectors, table));
}

Report judge_by_table(const TableUse& use, const RotatedDump& vectors, const TableDump& table,
                      const SessionOptions& options) {
    Spec place = place_by(use, table);
    require_checks(options.only, {"table-accuracy", "pass-through"}, "a dump's own table");
    const TableUses uses(vectors, table);
    place.layout =
        use.layout ? *use.layout : layout_by(place, uses).value_or(PairLayout::half_split);
    Report report = report_on(place, vectors, options.seed);
    report.subject.origin += " by " + table.origin;
    for (const Assumption& one : table.read_as)
        if (one.what == "cache_layout") report.subject.read_as.push_back(one);
    report.subject.read_as.push_back({"pair_layout", std::string(to_string(report.spec.layout)),
                                      use.layout ? use.from : "the values"});
    if (is_asked(options.only, "table-accuracy")) {
        const Finding finding =
            finding_of("table-accuracy", uses.judge({report.spec}),
                       "|y − R(table)x| ≤ 2u(|c·x1| + |s·x2|)", "the dump's own table");
        report.findings.push_back(finding);
        if (finding.verdict == Verdict::violated) diagnose_use(report, uses, times_over(finding));
    }
    if (report.spec.rotary_dim < report.spec.head_dim && is_asked(options.only, "pass-through"))
        report.findings.push_back(find_passed_dimensions(report.spec, vectors));
    return report;
}

}  // namespace rope
