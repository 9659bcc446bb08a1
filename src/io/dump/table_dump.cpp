// Tables and frequencies out of arrays, and how they were read; refuses other encodings.
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/printed_digits.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

constexpr double bf16 = 0x1p-8;  // the coarsest format's relative rounding

bool is_near(double x, double wanted) { return std::abs(x - wanted) <= bf16 * std::abs(wanted); }

// A bias of ALiBi on scores: heads × queries × keys.
struct Bias {
    const Array& array;
    std::uint64_t heads, queries, keys;

    double at(std::uint64_t head, std::uint64_t query, std::uint64_t key) const {
        return array.at((head * queries + query) * keys + key);
    }

    // Whether row i is −m·(i − j). Later keys may be masked, or lie as far on the other side. Only
    // one row may be m·j, which softmax takes for −m·(i − j).
    bool has_slope(std::uint64_t head, std::uint64_t query, double slope) const {
        for (std::uint64_t key = 0; key < keys; ++key) {
            const double b = at(head, query, key);
            const double wanted = slope * (static_cast<double>(key) -
                                           (queries == 1 ? 0 : static_cast<double>(query)));
            const bool is_later = queries > 1 && key > query;
            if (is_later && (b < -1e4 || std::isinf(b) || b == 0)) continue;
            if (!is_near(is_later ? std::abs(b) : b, wanted)) return false;
        }
        return true;
    }

    std::optional<double> slope_of(std::uint64_t head) const {
        const std::uint64_t last = keys - 1;
        const double most = queries == 1 ? at(head, 0, last) : -at(head, last, 0);
        const double slope = most / static_cast<double>(last);
        if (!(slope > 0) || std::isinf(slope)) return std::nullopt;
        for (const std::uint64_t query : {std::uint64_t{0}, queries / 2, queries - 1})
            if (!has_slope(head, query, slope)) return std::nullopt;
        return slope;
    }
};

std::optional<std::vector<double>> alibi_slopes_of(const Array& array) {
    constexpr std::uint64_t most_heads = 4096;
    const Shape& shape = array.shape;
    if (shape.size() < 2 || array.size() == 0) return std::nullopt;
    const std::uint64_t queries = shape[shape.size() - 2], keys = shape.back();
    if (keys < 4 || (queries != keys && queries != 1)) return std::nullopt;
    const Bias bias{array, array.size() / (queries * keys), queries, keys};
    if (bias.heads > most_heads) return std::nullopt;
    std::vector<double> slopes;
    for (std::uint64_t head = 0; head < bias.heads; ++head) {
        const auto slope = bias.slope_of(head);
        if (!slope) return std::nullopt;
        slopes.push_back(*slope);
    }
    return slopes;
}

std::string words_of(const std::vector<double>& slopes) {
    if (slopes.size() == 1) return "slope " + decimal(slopes[0]);
    const std::vector<BigReal> usual = ledger::alibi_slopes(static_cast<int>(slopes.size()));
    const bool is_usual = std::ranges::equal(slopes, usual, [](double own, const BigReal& one) {
        return is_near(own, one.to_double());
    });
    return "slopes " + decimal(slopes.front()) + " to " + decimal(slopes.back()) +
           (is_usual ? ", those of its paper for " : ", not those of its paper for ") +
           decimal(slopes.size()) + " heads";
}

// Whether row 0 is (0, 1, 0, 1, …), and neighbours lie on a circle.
bool is_sinusoidal(const Array& array) {
    if (array.shape.size() < 2) return false;
    const std::uint64_t dimensions = array.shape.back(),
                        rows = array.size() / std::max(std::uint64_t{1}, dimensions);
    if (dimensions < 4 || dimensions % 2 != 0 || rows < 2) return false;
    for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension)
        if (array.at(dimension) != static_cast<double>(dimension % 2)) return false;
    for (const std::uint64_t row : {std::uint64_t{1}, rows / 2, rows - 1})
        for (std::uint64_t dimension = 0; dimension < dimensions; dimension += 2) {
            const double sine = array.at(row * dimensions + dimension),
                         cosine = array.at(row * dimensions + dimension + 1);
            if (!(std::abs(sine * sine + cosine * cosine - 1) <= 2 * bf16)) return false;
        }
    return true;
}

std::string range_of(const std::vector<double>& positions) {
    const auto [least, most] = std::ranges::minmax(positions);
    if (least == most) return decimal(least);
    // two numbers that are no neighbours are not a range
    const bool are_two = least + 1 < most && std::ranges::all_of(positions, [&](double one) {
                             return one == least || one == most;
                         });
    return decimal(least) + (are_two ? " and " : " … ") + decimal(most);
}

// Returns how far apart equal frequencies lie if each is given twice: half their number or 1; 0
// where each is given once. The Spec's width decides, or frequencies that are not all alike.
std::size_t repeats_after(const std::vector<double>& all, const std::optional<Spec>& spec) {
    const std::size_t half = all.size() / 2;
    if (all.size() % 2 != 0 || half < 2) return 0;
    if (spec ? half != spec->pairs() : std::ranges::count(all, all[0]) > 2) return 0;
    for (const std::size_t step : {half, std::size_t{1}}) {
        bool is_twice = true;
        for (std::size_t i = 0; i < half; ++i) {
            const std::size_t at = step == 1 ? 2 * i : i;
            is_twice = is_twice && all[at] == all[at + step];
        }
        if (is_twice) return step;
    }
    return 0;
}

// "columns 64 to 127", "odd columns"
std::string columns_of(const CosSin& table, std::uint64_t copy) {
    if (table.found.layout == CacheLayout::repeated)
        return copy == 0 ? "even columns" : "odd columns";
    const std::uint64_t first = copy * table.pairs;
    return "columns " + decimal(first) + " to " + decimal(first + table.pairs - 1);
}

// An array without a layout holds angles if a value is beyond any cosine and attention factor.
bool holds_angles(const NamedArray& both, const DumpHints& asked) {
    if (asked.layout) return *asked.layout == CacheLayout::angles;
    if (axes_of_row(both, asked) > 1 || has_steady_norm(both)) return false;
    const std::uint64_t size = both.array.size(), step = 1 + size / 65536;
    for (std::uint64_t k = size; k > 0 && both.array.format(); k -= std::min(k, step))
        if (both.array.at(k - 1) > 4) return true;
    return false;
}

// Adds the first position that the file states, for all batch entries or for each, to row numbers;
// not if the first row of an entry has no sine.
void start_at(TableDump& dump, const NamedArray& starts) {
    const std::uint64_t count = starts.array.size(), rows = dump.positions.size();
    if (count != 1 && count != dump.grid.batch.length) return;
    std::vector<double> moved = dump.positions;
    for (std::uint64_t row = 0; row < rows; ++row) {
        const std::uint64_t first = row - row % (rows / count);
        bool has_sine = false;
        for (std::uint32_t pair = 0; pair < dump.pairs && row == first; ++pair)
            has_sine = has_sine || dump.sin.at(row, pair) != 0;
        if (row == first && !has_sine && starts.array.at(row / (rows / count)) != 0) return;
        moved[row] += starts.array.at(row / (rows / count));
    }
    dump.positions = std::move(moved);
    assumption_named(dump.read_as, "positions") =
        positions_read(dump.positions, dump.more_positions, starts);
}

// Keeps the rows of one sequence that are no padding.
void leave_out_padding(TableDump& dump, const NamedArray& kept) {
    std::vector<std::size_t> rows;
    const std::size_t all = dump.positions.size();
    if (kept.array.size() != all) return;
    for (std::size_t row = 0; row < all; ++row)
        if (kept.array.at(row) != 0) rows.push_back(row);
    if (rows.empty() || rows.size() == all) return;
    const auto cut = [&](std::vector<double>& positions) {
        for (std::size_t k = 0; k < rows.size(); ++k) positions[k] = positions[rows[k]];
        positions.resize(rows.size());
    };
    const auto some_rows = [&](const StridedRows& values) {
        std::vector<double> some(rows.size() * dump.pairs);
        for (std::size_t k = 0; k < rows.size(); ++k)
            values.read(rows[k], 0, dump.pairs, some.data() + k * dump.pairs);
        return StridedRows(std::move(some), dump.pairs);
    };
    dump.read_as.push_back(padding_read(all - rows.size(), all, kept.name));
    dump.cos = some_rows(dump.cos);
    dump.sin = some_rows(dump.sin);
    cut(dump.positions);
    std::ranges::for_each(dump.more_positions, cut);
    dump.grid = {};
}

TableDump dump_of(CosSin table, std::vector<std::vector<double>> positions, const NamedArray& array,
                  const StatedPositions& stated, const DumpHints& asked) {
    TableDump dump;
    dump.positions = std::move(positions.front());
    positions.erase(positions.begin());
    dump.more_positions = std::move(positions);
    std::vector<std::uint64_t> lengths = table.rows;
    std::erase(lengths, 1);
    if (lengths.size() == 2) dump.grid = {{lengths[0], lengths[1]}, {}, {lengths[1], 1}};
    dump.pairs = static_cast<std::uint32_t>(table.pairs);
    dump.cos = std::move(table.cos);
    dump.sin = std::move(table.sin);
    dump.format = table.format;
    dump.origin = array.name;
    dump.read_as = {
        {"cache_layout", std::string(to_string(table.found.layout)), table.found.from},
        {"axes", lengths.size() == 2 ? "bsd" : "sd", "shape " + shape_text(array.array.shape)},
        rows_read(dump.positions.size(), array),
        positions_read(dump.positions, dump.more_positions, stated.ids)};
    if (!table.found.copies_differ.empty())
        dump.read_as.push_back({"copy", columns_of(table, asked.copy),
                                table.found.copies_differ + ", so each copy is checked"});
    if (stated.starts) start_at(dump, *stated.starts);
    dump.printed =
        printed_error({&dump.cos, &dump.sin}, dump.positions.size(), dump.pairs, dump.format);
    if (stated.kept) leave_out_padding(dump, *stated.kept);
    return dump;
}

bool is_identity(const TableDump& dump, std::uint64_t row) {
    return io::is_identity(dump.cos, dump.sin, dump.pairs, row);
}

bool are_alike(const TableDump& dump, std::uint64_t a, std::uint64_t b) {
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair)
        if (dump.sin.at(a, pair) != dump.sin.at(b, pair)) return false;
    return true;
}

// The rows of one batch entry of a table [S, B, …], as ChatGLM's rope_cache is, if those of all
// entries are equal; nothing for tables whose first axis is no longer than the second.
std::optional<NamedArray> of_one_entry(const NamedArray& table) {
    const Shape& shape = table.array.shape;
    if (shape.size() < 3 || shape[1] < 2 || shape[0] <= shape[1]) return std::nullopt;
    const Array& all = table.array;
    const std::uint64_t row = all.size() / shape[0], one = row / shape[1];
    bool are_equal = true;  // the first rows of all positions
    for (std::uint64_t k = 0; k < all.size(); ++k) {
        const std::uint64_t first = k - k % row;
        if (all.at(k) != all.at(first + k % one)) return std::nullopt;
        are_equal = are_equal && all.at(k) == all.at(k % one);
    }
    if (are_equal) return std::nullopt;
    Shape shape_of_one = shape, strides = strides_of(shape);
    shape_of_one.erase(shape_of_one.begin() + 1);
    strides.erase(strides.begin() + 1);
    return NamedArray{table.name, strided_copy(all, shape_of_one, strides, 0)};
}

// a·e^{imθ}, where a is the amplitude of an identity row
std::complex<double> rotation_at(const TableDump& dump, std::uint64_t row, std::uint32_t pair) {
    return {dump.cos.at(row, pair), dump.sin.at(row, pair)};
}

// Whether rows m − 1 and m + k are k + 1 positions apart in the table that starts at `start`:
// R(m + k) = R(m − 1)·R(1)^{k+1} to a tenth of a radian, which exceeds any rounding.
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

// Whether rows after an identity row count on from the rows before it. Then only the identity row
// is wrong; after a start rows count 1, 2, 3, …
bool goes_on(const TableDump& dump, std::uint64_t start, std::uint64_t row) {
    const auto left = static_cast<int>(std::min<std::uint64_t>(3, dump.positions.size() - 1 - row));
    for (int k = 1; k <= left; ++k)
        if (are_apart(dump, start, row, k)) return true;
    return false;
}

// Whether a table starts at an identity row: it has other frequencies than the table before it, or
// the table before it is as long as the first. Otherwise a table wraps around.
bool is_start(const TableDump& dump, std::uint64_t row, const std::vector<std::uint64_t>& starts) {
    // several rows at position 0 are no starts
    if (!is_identity(dump, row) || is_identity(dump, row - 1) || is_identity(dump, row + 1))
        return false;
    const std::uint64_t last = starts.back();
    if (goes_on(dump, last, row)) return false;
    return !are_alike(dump, row + 1, last + 1) || (last > 0 && row - last == starts[1]);
}

TableDump part(const TableDump& dump, std::uint64_t begin, std::uint64_t end) {
    TableDump one = dump;
    one.positions = numbers_below<double>(end - begin);
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

void refuse_other_encodings(const NamedArray& array) {
    if (const auto slopes = alibi_slopes_of(array.array))
        throw InputError(array.name + ": is a bias of ALiBi, " + words_of(*slopes) +
                         "; it is added to scores and rotates nothing, so there is no rotary "
                         "table to check");
    if (is_sinusoidal(array.array))
        throw InputError(
            array.name +
            ": is a sinusoidal position encoding, sines in even dimensions and cosines in "
            "odd ones; it is added to embeddings and rotates nothing. No rotary cache "
            "of this order is known; one is passed as cos=NAME and sin=NAME");
}

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
                 : "row numbers: there are no position_ids",
            !from};
}

Assumption& assumption_named(std::vector<Assumption>& all, const std::string& what) {
    return *std::ranges::find(all, what, &Assumption::what);
}

Assumption padding_read(std::uint64_t rows, std::uint64_t of_rows, const std::string& by) {
    return {"padding", decimal(rows) + " of " + decimal(of_rows) + " rows", by};
}

namespace {

// The frequencies of one axis, where every axis has the same: those of each pair.
void repeat_for_axes(FrequencyDump& dump, const Spec& spec) {
    const std::size_t size = dump.inv_freq.size(), axes = axis_count(spec.axes);
    if (axes == 1 || axes * size != spec.pairs()) return;
    const std::vector<double> theta = plan_frequencies(spec, exact_precision).inv_freq();
    const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
    std::vector<std::vector<double>> on_axes(axes);
    std::vector<double> all;
    for (std::uint32_t pair = 0; pair < spec.pairs(); ++pair) {
        std::vector<double>& own = on_axes[axis[pair]];
        if (own.size() == size) return;
        all.push_back(dump.inv_freq[own.size()]);
        own.push_back(theta[pair]);
    }
    if (std::ranges::count(on_axes, on_axes[0]) < std::ssize(on_axes)) return;
    dump.read_as.push_back(
        {"inv_freq", "of each axis",
         "the config's " + decimal(axes) + " axes of " + decimal(size) + " pairs"});
    dump.inv_freq = std::move(all);
}

}  // namespace

FrequencyDump frequency_dump(const NamedArray& inv_freq, const DumpHints& asked) {
    require_alike(inv_freq, inv_freq);
    const Array& array = inv_freq.array;
    std::vector<double> values = array.values();
    const auto last = std::ranges::find_if(array.shape.rbegin(), array.shape.rend(),
                                           [](std::uint64_t length) { return length != 1; });
    const std::uint64_t size = last == array.shape.rend() ? 1 : *last;
    for (std::uint64_t k = size; k < values.size(); ++k)  // expanded for a batch
        if (values[k] != values[k % size]) refuse_shape(inv_freq, "is not one row of frequencies");
    values.resize(size);
    if (size > max_head_dim / 2) refuse_shape(inv_freq, "is more than 32768 frequencies");
    FrequencyDump dump{std::move(values), *array.format(), inv_freq.name};
    if (inv_freq.name.ends_with("_freqs") && *std::ranges::max_element(dump.inv_freq) > 1) {
        for (double& frequency : dump.inv_freq) frequency = 1 / frequency;
        dump.read_as.push_back({"inv_freq", "1/values", "mlx's _freqs hold base^(2i/d)"});
    }
    if (asked.spec) repeat_for_axes(dump, *asked.spec);
    const std::size_t step = repeats_after(dump.inv_freq, asked.spec);
    if (step == 0) return dump;
    dump.read_as.push_back({"inv_freq", step == 1 ? "f0 f0 f1 f1" : "cat(f, f)",
                            "shape " + shape_text(array.shape) + ", every value twice"});
    const std::size_t pairs = dump.inv_freq.size() / 2;
    for (std::size_t i = 0; i < pairs && step == 1; ++i) dump.inv_freq[i] = dump.inv_freq[2 * i];
    dump.inv_freq.resize(pairs);
    return dump;
}

TableDump table_dump(const NamedArray& cos, const NamedArray& sin, const StatedPositions& stated,
                     const DumpHints& asked) {
    if (const auto one = of_one_entry(cos), other = of_one_entry(sin); one && other)
        return table_dump(*one, *other, stated, asked);
    CosSin found = separate_layout(cos, sin, asked);
    auto positions = table_positions(cos, found.rows, stated.ids, asked);
    TableDump dump = dump_of(std::move(found), std::move(positions), cos, stated, asked);
    dump.origin = cos.name + ", " + sin.name;
    return dump;
}

TableDump table_dump(const NamedArray& given, const StatedPositions& stated,
                     const DumpHints& asked) {
    if (const auto one = of_one_entry(given)) return table_dump(*one, stated, asked);
    if (const auto two = asked.layout ? std::nullopt : cos_and_sin_of(given)) {
        TableDump dump = table_dump(two->first, two->second, stated, asked);
        dump.origin = given.name;
        assumption_named(dump.read_as, "cache_layout").from +=
            "; cos and sin are parts of " + shape_text(given.array.shape);
        return dump;
    }
    const NamedArray both = unflattened(given);
    const bool angles = holds_angles(both, asked);
    Shape rows = both.array.shape;
    rows.resize(rows.size() - std::min(rows.size(), angles ? 1 : axes_of_row(both, asked)));
    if (both.array.size() == 0) require_alike(both, both);
    auto positions = table_positions(both, rows, stated.ids, asked);
    CosSin found =
        angles ? angle_layout(both, asked) : fused_layout(both, positions.front(), asked);
    return dump_of(std::move(found), std::move(positions), both, stated, asked);
}

std::vector<TableDump> stacked_tables(const TableDump& dump) {
    const std::uint64_t rows = dump.positions.size();
    std::vector<std::uint64_t> starts{0};
    if (rows >= 4 && dump.pairs > 0 && dump.more_positions.empty() && is_identity(dump, 0))
        for (std::uint64_t row = 2; row + 1 < rows; ++row)
            if (is_start(dump, row, starts)) starts.push_back(row);
    constexpr std::size_t most_tables = 16;
    if (starts.size() == 1 || starts.size() > most_tables) return {dump};
    starts.push_back(rows);
    std::vector<TableDump> tables;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        tables.push_back(part(dump, starts[k], starts[k + 1]));
    return tables;
}

}  // namespace rope::io
