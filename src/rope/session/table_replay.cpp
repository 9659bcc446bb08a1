#include "rope/session/table_replay.hpp"

#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "rope/session/applied_pair.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

template <class Dump>
auto position_on_axes(const Dump& dump, std::uint64_t row) {
    auto all = std::vector{dump.positions[row]};
    for (const auto& on_axis : dump.more_positions) all.push_back(on_axis[row]);
    return all;
}

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
        if (position_on_axes(vectors, row) !=
            position_on_axes(table, one.batch.of(row) * other.batch.stride +
                                        one.sequence.of(row) * other.sequence.stride))
            return false;
    return true;
}

// Of both products and their sum; of the table, where it is cast to the vectors' format.
double roundings(const RotatedDump& vectors, const TableDump& table) {
    const double u = unit_roundoff(vectors.format);
    const bool is_cast = unit_roundoff(table.format) < u;
    const bool is_ours = vectors.format == Format::float64;  // this replay's own
    return (2 + (is_cast ? 1 : 0) + (is_ours ? 2 : 0)) * u * (1 + 4 * u);
}

}  // namespace

TableReplay::TableReplay(const RotatedDump& vectors, const TableDump& table)
    : vectors_(vectors), table_(table), by_grid_(has_equal_grids(vectors, table)) {
    if (vectors.more_positions.size() != table.more_positions.size())
        throw InputError("the vectors' positions are on " +
                         decimal(vectors.more_positions.size() + 1) + " axes, the table's on " +
                         decimal(table.more_positions.size() + 1));
    if (by_grid_) return;
    for (std::uint64_t row = 0; row < table.positions.size(); ++row) {
        const auto [at, is_new] = rows_.try_emplace(position_on_axes(table, row), row);
        if (!is_new && !has_equal_rows(table, at->second, row))
            throw InputError("the table's rows " + decimal(at->second) + " and " + decimal(row) +
                             " are both for position " + join(at->first) + " and differ");
    }
}

TableReplay::Position TableReplay::position(std::uint64_t row, TableRow from) const {
    Position all = position_on_axes(vectors_, row);
    if (from == TableRow::next) ++all[0];
    if (from == TableRow::previous) --all[0];
    if (from == TableRow::row_number)
        all[0] = static_cast<Position::value_type>(vectors_.grid.sequence.of(row));
    return all;
}

std::optional<std::uint64_t> TableReplay::table_row(std::uint64_t row, TableRow from) const {
    if (by_grid_ && from == TableRow::own)
        return vectors_.grid.batch.of(row) * table_.grid.batch.stride +
               vectors_.grid.sequence.of(row) * table_.grid.sequence.stride;
    const auto found = rows_.find(position(row, from));
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

template <class Visit>
bool TableReplay::visit_lanes(const TableApplication& how, const Visit& visit) const {
    const PairApplication apply(vectors_.format, roundings(vectors_, table_));
    const std::uint32_t width = how.place.head_dim;
    std::vector<double> x(width), y(width), cos(table_.pairs), sin(table_.pairs);
    for (std::uint64_t row = 0; row < vectors_.positions.size(); ++row) {
        const auto from = table_row(row, how.row);
        if (!from) return false;
        vectors_.before.read(row, 0, width, x.data());
        vectors_.after.read(row, 0, width, y.data());
        table_.cos.read(*from, 0, table_.pairs, cos.data());
        table_.sin.read(*from, 0, table_.pairs, sin.data());
        if (how.swapped) cos.swap(sin);
        for (std::uint32_t i = 0; i < table_.pairs; ++i) {
            const Lanes in = lanes_of_pair(how.place, i), out = written_lanes_of_pair(how.place, i);
            const AppliedPair want = apply(cos[i], sin[i], x[in.first], x[in.second]);
            if (!visit(row, i, y[out.first], want.first, want.first_allowed) ||
                !visit(row, i, y[out.second], want.second, want.second_allowed))
                return false;
        }
    }
    return true;
}

WorstCase TableReplay::judge(const TableApplication& how) const {
    WorstCase worst;
    const auto visit = [&](std::uint64_t row, std::uint32_t pair, double got, double want,
                           double allowed) {
        const double at = vectors_.positions[row];
        worst.judge(std::abs(got - want), allowed, at, pair,
                    [&] { return Witness{{at}, pair, got, want}; });
        return true;
    };
    if (!visit_lanes(how, visit))
        for (std::uint64_t row = 0; row < vectors_.positions.size(); ++row)
            if (!table_row(row, how.row))
                throw InputError("position " + join(position(row, how.row)) +
                                 " of the vectors has no row in the table");
    worst.add_samples(vectors_.positions.size() * table_.pairs * 2);
    return worst;
}

bool TableReplay::explains(const TableApplication& how) const {
    return visit_lanes(how, [](std::uint64_t, std::uint32_t, double got, double want,
                               double allowed) { return std::abs(got - want) <= allowed; });
}

}  // namespace rope
