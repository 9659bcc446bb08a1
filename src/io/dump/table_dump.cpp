#include <algorithm>
#include <complex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/shape/position_ids.hpp"
#include "io/shape/table_layout.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {
namespace {

std::string range_of(const std::vector<double>& positions) {
    const auto [least, most] = std::ranges::minmax(positions);
    return least == most ? decimal(least) : decimal(least) + " … " + decimal(most);
}

}  // namespace

Assumption rows_read(std::uint64_t rows, const NamedArray& array) {
    return {"rows", decimal(rows), "shape " + shape_text(array.array.shape)};
}

Assumption positions_read(const std::vector<double>& positions,
                          const std::vector<std::vector<double>>& more_positions,
                          const std::optional<NamedArray>& from) {
    std::string text = range_of(positions);
    for (const auto& on_axis : more_positions) text += ", " + range_of(on_axis);
    return {"positions", text,
            from ? from->name + ", shape " + shape_text(from->array.shape)
                 : "row numbers: there are no position_ids"};
}

Assumption& assumption_named(std::vector<Assumption>& all, const std::string& what) {
    return *std::ranges::find(all, what, &Assumption::what);
}

namespace {

// By which every frequency stands twice: half their number or 1, as the Spec's width or, without
// one, frequencies that are not all alike say; 0 where none does.
std::size_t repeats_after(const std::vector<double>& all, const std::optional<Spec>& spec) {
    const std::size_t half = all.size() / 2;
    if (all.size() % 2 != 0 || half < 2) return 0;
    if (spec ? half != spec->pairs() : std::ranges::count(all, all[0]) > 2) return 0;
    const auto is_twice = [&](std::size_t step) {
        for (std::size_t i = 0; i < half; ++i) {
            const std::size_t at = step == 1 ? 2 * i : i;
            if (all[at] != all[at + step]) return false;
        }
        return true;
    };
    return is_twice(half) ? half : is_twice(1) ? 1 : 0;
}

}  // namespace

FrequencyDump frequency_dump(const NamedArray& inv_freq, const DumpHints& asked) {
    require_alike(inv_freq, inv_freq);
    const Array& array = inv_freq.array;
    for (const std::uint64_t length : array.shape)
        if (length != 1 && length != array.size())
            throw InputError(inv_freq.name + ": shape " + shape_text(array.shape) +
                             " is not one row of frequencies");
    if (array.size() > max_head_dim / 2)
        throw InputError(inv_freq.name + ": shape " + shape_text(array.shape) +
                         " is more than 32768 frequencies");
    FrequencyDump dump{array.values(), *array.format(), inv_freq.name};
    const std::size_t step = repeats_after(dump.inv_freq, asked.spec);
    if (step == 0) return dump;
    dump.read_as.push_back({"inv_freq", step == 1 ? "f0 f0 f1 f1" : "cat(f, f)",
                            "shape " + shape_text(array.shape) + ", every value twice"});
    std::vector<double> once;
    for (std::size_t i = 0; i < dump.inv_freq.size() / 2; ++i)
        once.push_back(dump.inv_freq[step == 1 ? 2 * i : i]);
    dump.inv_freq = std::move(once);
    return dump;
}

namespace {

// "bsd" of rows [B, L]
std::string letters_of(std::vector<std::uint64_t> rows) {
    std::erase(rows, std::uint64_t{1});
    return rows.size() == 2 ? "bsd" : "sd";
}

struct Source {
    const NamedArray& array;  // of the cosines
    const std::optional<NamedArray>& positions;
    std::string origin;
    std::uint64_t copy;
};

// "columns 64 to 127", "odd columns"
std::string columns_of(const CosSin& found, std::uint64_t copy) {
    if (found.layout == CacheLayout::repeated) return copy == 0 ? "even columns" : "odd columns";
    const std::uint64_t first = copy * found.pairs;
    return "columns " + decimal(first) + " to " + decimal(first + found.pairs - 1);
}

TableDump dump_of(CosSin found, std::vector<std::vector<double>> positions, const Source& source) {
    TableDump dump;
    dump.positions = std::move(positions.front());
    dump.more_positions.assign(std::make_move_iterator(positions.begin() + 1),
                               std::make_move_iterator(positions.end()));
    std::vector<std::uint64_t> lengths = found.rows;
    std::erase(lengths, 1);
    if (lengths.size() == 2) dump.grid = {{lengths[0], lengths[1]}, {}, {lengths[1], 1}};
    dump.pairs = found.pairs;
    dump.cos = std::move(found.cos);
    dump.sin = std::move(found.sin);
    dump.format = found.format;
    dump.origin = source.origin;
    dump.read_as = {
        {"cache_layout", std::string(to_string(found.layout)), found.layout_from},
        {"axes", letters_of(found.rows), "shape " + shape_text(source.array.array.shape)},
        rows_read(dump.positions.size(), source.array),
        positions_read(dump.positions, dump.more_positions, source.positions)};
    if (!found.copies_differ.empty())
        dump.read_as.push_back({"copy", columns_of(found, source.copy),
                                found.copies_differ + ", so each copy is checked"});
    return dump;
}

bool holds_angles(const NamedArray& both, const DumpHints& asked) {
    if (asked.layout) return *asked.layout == CacheLayout::angles;
    if (axes_of_row(both, asked) > 1 || has_steady_norm(both)) return false;
    // no cosine is beyond an attention factor
    const std::uint64_t size = both.array.size(), step = 1 + size / 65536;
    for (std::uint64_t k = size; k > 0 && both.array.format(); k -= std::min(k, step))
        if (both.array.at(k - 1) > 4) return true;
    return false;
}

}  // namespace

namespace {

// Row 0 of a table that begins at position 0: no sine.
bool begins_at_zero(const TableDump& dump) {
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair)
        if (dump.sin.at(0, pair) != 0) return false;
    return true;
}

// Where rows count on from a position that the file states.
void start_at(TableDump& dump, const NamedArray& starts) {
    if (starts.array.size() != 1 || begins_at_zero(dump)) return;
    for (double& position : dump.positions) position += starts.array.at(0);
    assumption_named(dump.read_as, "positions") =
        positions_read(dump.positions, dump.more_positions, starts);
}

StridedRows some_rows(const StridedRows& rows, const std::vector<std::size_t>& some,
                      std::uint32_t columns) {
    std::vector<double> values(some.size() * columns);
    for (std::size_t k = 0; k < some.size(); ++k)
        rows.read(some[k], 0, columns, values.data() + k * columns);
    return {std::move(values), columns};
}

// The rows that are no padding, of one sequence.
void leave_out_padding(TableDump& dump, const NamedArray& kept) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < dump.positions.size(); ++row)
        if (kept.array.at(row) != 0) rows.push_back(row);
    if (kept.array.size() != dump.positions.size() || rows.empty() ||
        rows.size() == dump.positions.size())
        return;
    const auto cut = [&](std::vector<double>& all) {
        std::vector<double> some;
        for (const std::size_t row : rows) some.push_back(all[row]);
        all = std::move(some);
    };
    dump.read_as.push_back(
        padding_read(dump.positions.size() - rows.size(), dump.positions.size(), kept.name));
    dump.cos = some_rows(dump.cos, rows, dump.pairs);
    dump.sin = some_rows(dump.sin, rows, dump.pairs);
    cut(dump.positions);
    for (std::vector<double>& on_axis : dump.more_positions) cut(on_axis);
    dump.grid = {};
}

TableDump placed(TableDump dump, const StatedPositions& stated) {
    if (stated.starts) start_at(dump, *stated.starts);
    if (stated.kept && stated.kept->array.size() == dump.positions.size())
        leave_out_padding(dump, *stated.kept);
    return dump;
}

}  // namespace

Assumption padding_read(std::uint64_t rows, std::uint64_t of_rows, const std::string& by) {
    return {"padding", decimal(rows) + " of " + decimal(of_rows) + " rows", by};
}

TableDump table_dump(const NamedArray& cos, const NamedArray& sin, const StatedPositions& stated,
                     const DumpHints& asked) {
    const std::optional<NamedArray>& positions = stated.ids;
    CosSin found = separate_layout(cos, sin, asked);
    auto on_axes = table_positions(cos, found.rows, positions, asked);
    return placed(dump_of(std::move(found), std::move(on_axes),
                          {cos, positions, cos.name + ", " + sin.name, asked.copy}),
                  stated);
}

TableDump table_dump(const NamedArray& both, const StatedPositions& stated,
                     const DumpHints& asked) {
    const std::optional<NamedArray>& positions = stated.ids;
    const bool angles = holds_angles(both, asked);
    std::vector<std::uint64_t> rows = both.array.shape;
    rows.resize(rows.size() - std::min(rows.size(), angles ? 1 : axes_of_row(both, asked)));
    if (both.array.size() == 0) require_alike(both, both);
    auto on_axes = table_positions(both, rows, positions, asked);
    CosSin found = angles ? angle_layout(both, asked) : fused_layout(both, on_axes.front(), asked);
    return placed(
        dump_of(std::move(found), std::move(on_axes), {both, positions, both.name, asked.copy}),
        stated);
}

namespace {

constexpr std::size_t most_tables = 16;

// cos = a > 0, sin = 0 in every pair
bool is_identity(const TableDump& dump, std::uint64_t row) {
    const std::uint32_t last = dump.pairs - 1;
    const double a = dump.cos.at(row, last);
    if (dump.sin.at(row, last) != 0 || !(a > 0)) return false;
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair)
        if (dump.cos.at(row, pair) != a || dump.sin.at(row, pair) != 0) return false;
    return true;
}

bool are_alike(const TableDump& dump, std::uint64_t a, std::uint64_t b) {
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair)
        if (dump.sin.at(a, pair) != dump.sin.at(b, pair)) return false;
    return true;
}

// a·e^{imθ}, of the amplitude a of an identity row
std::complex<double> rotation_at(const TableDump& dump, std::uint64_t row, std::uint32_t pair) {
    return {dump.cos.at(row, pair), dump.sin.at(row, pair)};
}

// Whether rows m − 1 and m + k are k + 1 positions apart by the table that starts at `start`:
// R(m + k) = R(m − 1)·R(1)^{k+1}, to a tenth of a radian, which is beyond any rounding.
bool are_apart(const TableDump& dump, std::uint64_t start, std::uint64_t m, int k) {
    const double a = dump.cos.at(start, 0);
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair) {
        std::complex<double> expected = rotation_at(dump, m - 1, pair) / a;
        const std::complex<double> step = rotation_at(dump, start + 1, pair) / a;
        for (int n = 0; n <= k; ++n) expected *= step;
        const auto found = rotation_at(dump, m + static_cast<std::uint64_t>(k), pair) / a;
        if (!(std::abs(found - expected) <= 0.1)) return false;
    }
    return true;
}

// Whether rows after an identity row count on from those before it: then it alone is wrong, while
// behind a start they count 1, 2, 3, …; not even a document of one row is followed by such rows.
bool goes_on(const TableDump& dump, std::uint64_t start, std::uint64_t row) {
    const auto left = static_cast<int>(std::min<std::uint64_t>(3, dump.positions.size() - 1 - row));
    for (int k = 1; k <= left; ++k)
        if (are_apart(dump, start, row, k)) return true;
    return false;
}

// Whether a table starts here: position 0, and then by other frequencies than from the
// last start on, or after as many rows as the first table has. Else a table wraps around.
bool is_start(const TableDump& dump, std::uint64_t row, const std::vector<std::uint64_t>& starts) {
    // several rows of position 0 begin no table each
    if (!is_identity(dump, row) || is_identity(dump, row - 1) || is_identity(dump, row + 1))
        return false;
    const std::uint64_t last = starts.back();
    if (goes_on(dump, last, row)) return false;
    return !are_alike(dump, row + 1, last + 1) || (last > 0 && row - last == starts[1]);
}

TableDump part(const TableDump& dump, std::uint64_t begin, std::uint64_t end) {
    TableDump one = dump;
    one.positions.resize(end - begin);
    std::iota(one.positions.begin(), one.positions.end(), 0.0);
    one.cos = dump.cos.from(begin);
    one.sin = dump.sin.from(begin);
    one.read_as.resize(dump.read_as.size() - std::min<std::size_t>(dump.read_as.size(), 2));
    one.read_as.push_back({"rows", decimal(end - begin),
                           "rows " + decimal(begin) + " … " + decimal(end - 1) + " of " +
                               decimal(dump.positions.size()) + ", which start over"});
    one.read_as.push_back(positions_read(one.positions, {}, std::nullopt));
    return one;
}

}  // namespace

std::vector<TableDump> stacked_tables(const TableDump& dump) {
    const std::uint64_t rows = dump.positions.size();
    std::vector<std::uint64_t> starts{0};
    if (rows >= 4 && dump.pairs > 0 && dump.more_positions.empty() && is_identity(dump, 0))
        for (std::uint64_t row = 2; row + 1 < rows; ++row)
            if (is_start(dump, row, starts)) starts.push_back(row);
    if (starts.size() == 1 || starts.size() > most_tables) return {dump};
    starts.push_back(rows);
    std::vector<TableDump> tables;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        tables.push_back(part(dump, starts[k], starts[k + 1]));
    return tables;
}

}  // namespace rope::io
