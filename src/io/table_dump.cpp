#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "io/dump.hpp"
#include "io/dump_positions.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

bool is_same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

// Where column j of a row of c values is said a second time.
enum class Copies {
    halves,      // cat(f, f): j + c/2
    neighbours,  // f0 f0 f1 f1: 2j and 2j + 1
};

struct ColumnPair {
    std::uint64_t first, second;
};

ColumnPair copies_of(Copies copies, std::uint64_t pair, std::uint64_t columns) {
    if (copies == Copies::halves) return {pair, pair + columns / 2};
    return {2 * pair, 2 * pair + 1};
}

// The first row and pair whose copies differ, or nothing.
std::optional<std::string> difference(const NamedArray& table, Copies copies) {
    const std::uint64_t columns = table.array.shape.back();
    for (std::uint64_t at = 0; at < table.array.size(); at += columns)
        for (std::uint64_t pair = 0; pair < columns / 2; ++pair) {
            const auto [first, second] = copies_of(copies, pair, columns);
            if (!is_same(table.array.at(at + first), table.array.at(at + second)))
                return "columns " + decimal(first) + " and " + decimal(second) + " of row " +
                       decimal(at / columns);
        }
    return std::nullopt;
}

// How cos and sin both hold every value twice. Throws InputError when they do not.
Copies find_copies(const NamedArray& cos, const NamedArray& sin) {
    const auto first_difference = [&](Copies copies) {
        const auto in_cos = difference(cos, copies), in_sin = difference(sin, copies);
        return in_cos ? cos.name + ": " + *in_cos : in_sin ? sin.name + ": " + *in_sin : "";
    };
    const std::string halves = first_difference(Copies::halves);
    if (halves.empty()) return Copies::halves;
    const std::string neighbours = first_difference(Copies::neighbours);
    if (neighbours.empty()) return Copies::neighbours;
    throw InputError(halves + " differ, so it is not cat(f, f); " + neighbours +
                     " differ, so it is not f0 f0 f1 f1");
}

std::vector<double> without_copies(const Array& table, Copies copies) {
    const std::uint64_t columns = table.shape.back();
    std::vector<double> values;
    values.reserve(table.size() / 2);
    for (std::uint64_t at = 0; at < table.size(); at += columns)
        for (std::uint64_t pair = 0; pair < columns / 2; ++pair)
            values.push_back(table.at(at + copies_of(copies, pair, columns).first));
    return values;
}

void require_columns(const NamedArray& table, std::uint64_t rotary_dim) {
    const std::vector<std::uint64_t>& shape = table.array.shape;
    if (shape.size() >= 2 && (shape.back() == rotary_dim || 2 * shape.back() == rotary_dim)) return;
    throw InputError(table.name + ": shape " + shape_text(shape) + " does not end in " +
                     decimal(rotary_dim / 2) + " or " + decimal(rotary_dim) +
                     " columns after the rows; rotary_dim is " + decimal(rotary_dim));
}

}  // namespace

TableDump table_dump(const NamedArray& cos, const NamedArray& sin,
                     const std::optional<NamedArray>& positions, const Spec& spec) {
    require_alike(cos, sin);
    require_columns(cos, spec.rotary_dim);
    TableDump dump;
    if (!positions) dump.positions = table_positions(cos, positions);
    if (positions)
        for (const NamedArray& on_axis : positions_by_axis(*positions, spec.axes))
            (dump.positions.empty() ? dump.positions : dump.more_positions.emplace_back()) =
                table_positions(cos, on_axis);
    dump.pairs = spec.pairs();
    dump.format = *cos.array.format();
    dump.origin = cos.name + ", " + sin.name;
    if (cos.array.shape.back() == spec.pairs()) {
        dump.cos = StridedRows(cos.array.values(), dump.pairs);
        dump.sin = StridedRows(sin.array.values(), dump.pairs);
        return dump;
    }
    const Copies copies = find_copies(cos, sin);
    dump.cos = StridedRows(without_copies(cos.array, copies), dump.pairs);
    dump.sin = StridedRows(without_copies(sin.array, copies), dump.pairs);
    return dump;
}

}  // namespace rope::io
