// Finds which numbers of a table are the cosines and which are the sines.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

using enum CacheLayout;
using Tables = std::initializer_list<const NamedArray*>;

constexpr std::array forms{
    LayoutForm{duplicated, "duplicated", "", "cc", false, 1, "cat(f, f)",
               "columns i and i + d/2 are equal"},
    LayoutForm{repeated, "repeated", "", "cc", true, 1, "f0 f0 f1 f1",
               "columns 2i and 2i + 1 are equal"},
    LayoutForm{half, "half", "", "c"},
    LayoutForm{cos_sin, "cos-sin", "cos_sin", "cs"},
    LayoutForm{sin_cos, "sin-cos", "sin_cos", "sc"},
    LayoutForm{stacked, "stacked", "cos_sin", "cs", true, 2},
    LayoutForm{complex, "complex", "freqs_cis", "cs", true, 2},
    LayoutForm{angles, "angles", "angles", "cc"},
    LayoutForm{ggml, "ggml", "cos_sin", "cs", true},
    LayoutForm{matrices, "matrices", "freqs_cis", "cnsc", true, 3},
};

// Returns "cos: columns 36 and 100 of row 100 differ", or nothing if all copies are the same bits
// or both NaN.
std::optional<std::string> difference(Tables tables, const LayoutForm& form) {
    for (const NamedArray* named : tables) {
        const Array& table = named->array;
        const std::uint64_t columns = table.shape.back(), between = form.apart(1, columns / 2);
        const std::size_t bytes = bytes_of(table.element), apart = between * bytes;
        for (std::uint64_t row = 0; row < table.size() / columns; ++row) {
            const std::byte* at = table.bytes.data() + row * columns * bytes;
            if (!form.alternates && std::memcmp(at, at + apart, apart) == 0) continue;
            for (std::uint64_t pair = 0; pair < columns / 2; ++pair) {
                const std::uint64_t first = form.step() * pair;
                const std::byte *one = at + first * bytes, *other = one + apart;
                if (std::memcmp(one, other, bytes) != 0 &&
                    !(std::isnan(number_at(table.element, one)) &&
                      std::isnan(number_at(table.element, other))))
                    return named->name + ": columns " + decimal(first) + " and " +
                           decimal(first + between) + " of row " + decimal(row) + " differ";
            }
        }
    }
    return std::nullopt;
}

// Returns the share of equal copies in the table that has the most, in at most this many rows. Slow
// pairs are 0 or 1 in any layout.
double share_of_copies(Tables tables, const LayoutForm& form,
                       std::uint64_t most_rows = UINT64_MAX) {
    double most = 0;
    for (const NamedArray* table : tables) {
        const std::uint64_t columns = table->array.shape.back();
        const std::uint64_t rows = columns > 0 ? table->array.size() / columns : 0;
        double same = 0, count = 0;
        for (std::uint64_t k = 0; k < std::min(rows, most_rows); ++k)
            for (std::uint64_t pair = 0; pair < columns / 2; ++pair) {
                const std::uint64_t at =
                    sampled_row(k, rows, most_rows) * columns + form.step() * pair;
                const double one = table->array.at(at),
                             other = table->array.at(at + form.apart(1, columns / 2));
                const bool is_same = one == other || (std::isnan(one) && std::isnan(other));
                if (is_same && (one == 0 || std::abs(one) == 1)) continue;
                ++count;
                same += is_same ? 1 : 0;
            }
        if (count > 0) most = std::max(most, same / count);
    }
    return most;
}

void require_columns(const NamedArray& table, const DumpHints& asked) {
    const Shape& shape = table.array.shape;
    const std::uint64_t columns = shape.size() >= 2 ? shape.back() : 0;
    if (!asked.spec && columns > 0 && columns <= max_head_dim) return;
    if (!asked.spec) refuse_shape(table, "is not rows of 1 to 65536 columns");
    const std::uint64_t rotary_dim = asked.spec->rotary_dim;
    if (columns == 0 || (columns != rotary_dim && 2 * columns != rotary_dim))
        refuse_shape(table, "does not end in " + decimal(rotary_dim / 2) + " or " +
                                decimal(rotary_dim) + " columns after the rows; rotary_dim is " +
                                decimal(rotary_dim));
}

// Whether the second half of the pairs has the frequencies of the first. Then f0 f0 f1 f1 … at
// positions that all axes share is cat(f, f), too.
bool repeats_frequencies(const DumpHints& asked) {
    if (!asked.spec || asked.spec->pairs() % 2 != 0) return false;
    const auto steps = frequency_steps(asked.spec->axes, asked.spec->pairs());
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    return std::equal(steps.begin(), middle, middle);
}

std::string equal_columns(CacheLayout layout) { return std::string(form_of(layout).equal_columns); }
std::string not_copied(const std::string& difference, CacheLayout layout) {
    return difference + ", so it is not " + std::string(form_of(layout).copies);
}

// The layout that most columns have, where some copies differ in either.
FoundLayout layout_of_most(Tables tables, const std::string& half_apart,
                           const std::string& neighbours_apart) {
    const double of_halves = share_of_copies(tables, form_of(duplicated));
    const double of_neighbours = share_of_copies(tables, form_of(repeated));
    if (std::max(of_halves, of_neighbours) <= 0.5 || of_halves == of_neighbours)
        throw InputError(not_copied(half_apart, duplicated) + "; " +
                         not_copied(neighbours_apart, repeated));
    return of_halves > of_neighbours
               ? FoundLayout{duplicated, "most " + equal_columns(duplicated), half_apart}
               : FoundLayout{repeated, "most " + equal_columns(repeated), neighbours_apart};
}

FoundLayout find_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked) {
    const std::string option = "--cache-layout";
    if (asked.layout && !form_of(*asked.layout).array.empty())
        throw InputError("cache layout " + std::string(to_string(*asked.layout)) +
                         " needs one array; separate cos and sin are half, duplicated or repeated");
    const std::uint64_t columns = cos.array.shape.back();
    const bool half_fits = !asked.spec || columns == asked.spec->pairs();
    if (asked.layout == half && !half_fits)
        throw InputError(cos.name + ": " + decimal(columns) +
                         " columns are not half of rotary_dim " + decimal(asked.spec->rotary_dim));
    if (asked.layout == half) return {half, option};
    if (!asked.layout && half_fits && asked.spec) return {half, "rotary_dim/2 columns"};
    if (!asked.layout && columns % 2 != 0) return {half, "an odd number of columns"};
    if (columns % 2 != 0)
        throw InputError(cos.name + ": " + decimal(columns) + " columns hold nothing twice");

    const auto half_apart = difference({&cos, &sin}, form_of(duplicated));
    const FoundLayout copied{duplicated, asked.layout ? option : equal_columns(duplicated)};
    const bool is_open = asked.layout ? asked.layout == repeated : repeats_frequencies(asked);
    if (!half_apart && !is_open) return copied;
    if (asked.layout == duplicated) throw InputError(not_copied(*half_apart, duplicated));
    const auto neighbours_apart = difference({&cos, &sin}, form_of(repeated));
    if (!neighbours_apart) return {repeated, asked.layout ? option : equal_columns(repeated)};
    if (asked.layout == repeated) throw InputError(not_copied(*neighbours_apart, repeated));
    if (!half_apart) return copied;
    constexpr double nearly_all = 0.9;
    constexpr std::uint64_t some_rows = 1024;
    const Tables tables{&cos, &sin};
    if (half_fits && share_of_copies(tables, form_of(duplicated), some_rows) < nearly_all &&
        share_of_copies(tables, form_of(repeated), some_rows) < nearly_all)
        return {half, "few columns are equal"};
    return layout_of_most(tables, *half_apart, *neighbours_apart);
}

constexpr double largest_angle = 0x1p33;
constexpr std::size_t block = 256;

// A double is the exact sum of three floats, so e^{ix} is the product of three rotations.
struct Block {
    std::array<float, block> part;
    std::array<double, block> rest, cos, sin, part_cos, part_sin;

    void turn(std::size_t n) {
        for (std::size_t k = 0; k < n; ++k) {
            part[k] = static_cast<float>(rest[k]);
            rest[k] -= static_cast<double>(part[k]);
        }
        kernels().cos_sin_of_angles(n, part.data(), part_cos.data(), part_sin.data());
        for (std::size_t k = 0; k < n; ++k) {
            const double c = cos[k], s = sin[k];
            cos[k] = c * part_cos[k] - s * part_sin[k];
            sin[k] = s * part_cos[k] + c * part_sin[k];
        }
    }
};

// Appends amplitude·cos and amplitude·sin of angles; NaN for angles that no position can reach.
void append_cos_sin(const std::vector<double>& angle, double amplitude, std::vector<double>& cos,
                    std::vector<double>& sin) {
    Block b;
    for (std::size_t begin = 0; begin < angle.size(); begin += block) {
        const std::size_t n = std::min(block, angle.size() - begin);
        bool is_sum = false;
        for (std::size_t k = 0; k < n; ++k) {
            const double x = angle[begin + k];
            const bool usable = std::abs(x) < largest_angle;
            b.rest[k] = usable ? x : 0;
            b.cos[k] = usable ? amplitude : std::numeric_limits<double>::quiet_NaN();
            b.sin[k] = usable ? 0 : std::numeric_limits<double>::quiet_NaN();
            is_sum |= usable && static_cast<double>(static_cast<float>(x)) != x;
        }
        for (int part = 0; part < (is_sum ? 3 : 1); ++part) b.turn(n);
        cos.insert(cos.end(), b.cos.begin(), b.cos.begin() + static_cast<std::ptrdiff_t>(n));
        sin.insert(sin.end(), b.sin.begin(), b.sin.begin() + static_cast<std::ptrdiff_t>(n));
    }
}

// The cosines and sines of one array, read in one layout, which may be the wrong one.
struct Columns {
    StridedRows cos, sin;
    std::uint64_t rows, pairs;

    bool is_identity(std::uint64_t row) const { return io::is_identity(cos, sin, pairs, row); }
    // The mean of a² sin θ(n − m) over the pairs: pairs slower than half a turn add to it.
    double turn(std::uint64_t m, std::uint64_t n) const {
        double sum = 0;
        for (std::uint64_t pair = 0; pair < pairs; ++pair)
            sum += cos.at(m, pair) * sin.at(n, pair) - sin.at(m, pair) * cos.at(n, pair);
        return sum / static_cast<double>(pairs);
    }
};

Columns columns_of(CacheLayout layout, const Array& both, std::uint64_t pairs) {
    const LayoutForm& form = form_of(layout);
    const std::uint64_t width = form.parts.size() * pairs;
    const auto view = [&](char part) {
        return StridedRows(both.element, both.bytes, form.apart(form.parts.find(part), pairs),
                           width, form.step(), both.owner);
    };
    return {view('c'), view('s'), both.size() / width, pairs};
}

// The share of sampled finite pairs with the most frequent cos² + sin², to bfloat16's 2⁻⁷ and more;
// and of these the share whose cosine and sine are nearly the same number, as in a table of cosines
// only. A rotation has few such pairs. The latter is 0 where there are hardly any.
struct Circles {
    double steady = 0, alike = 0;
};
Circles circles_of(const Columns& read) {
    constexpr std::uint64_t most = 64;  // rows, and pairs of a row
    constexpr int fewest = 8;
    std::vector<std::pair<double, double>> cells;  // cos² + sin², |cos − sin|
    std::vector<double> norms;
    for (std::uint64_t row = 0; row < read.rows; row += 1 + (read.rows - 1) / most)
        for (std::uint64_t pair = 0; pair < read.pairs; pair += 1 + (read.pairs - 1) / most) {
            const double c = read.cos.at(row, pair), s = read.sin.at(row, pair);
            cells.emplace_back(c * c + s * s, std::abs(c - s));
            if (std::isfinite(cells.back().first)) norms.push_back(cells.back().first);
        }
    if (norms.empty()) return {};
    const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
    std::nth_element(norms.begin(), middle, norms.end());
    const double median = *middle;
    int steady = 0, alike = 0;
    for (const auto& [norm, apart] : cells) {
        if (!(median > 0) || !(std::abs(norm - median) <= 0x1p-5 * median)) continue;
        ++steady;
        alike += apart <= 0x1p-4 * std::sqrt(median) ? 1 : 0;
    }
    return {static_cast<double>(steady) / static_cast<double>(norms.size()),
            steady < fewest ? 0 : static_cast<double>(alike) / steady};
}

// Returns the two rows whose positions are nearest without being the same, the lower one first.
std::optional<std::pair<std::uint64_t, std::uint64_t>> nearest_rows(
    const std::vector<double>& positions) {
    auto order = numbers_below<std::uint64_t>(positions.size());
    std::ranges::sort(order, {}, [&](std::uint64_t row) { return std::pair(positions[row], row); });
    std::optional<std::pair<std::uint64_t, std::uint64_t>> best;
    double least = INFINITY;
    for (std::size_t k = 1; k < order.size(); ++k) {
        const double gap = positions[order[k]] - positions[order[k - 1]];
        if (gap <= 0 || gap >= least) continue;
        least = gap;
        best = {order[k - 1], order[k]};
    }
    return best;
}

std::optional<CacheLayout> order_at_zero(const Columns& cos_first, const Columns& sin_first,
                                         const std::vector<double>& positions) {
    const auto row =
        static_cast<std::uint64_t>(std::ranges::find(positions, 0.0) - positions.begin());
    if (row >= positions.size() || row >= cos_first.rows) return std::nullopt;
    if (cos_first.is_identity(row)) return cos_sin;
    if (sin_first.is_identity(row)) return sin_cos;
    return std::nullopt;
}

std::optional<CacheLayout> order_of_name(const std::string& name) {
    const std::string own = name.substr(name.find_last_of(":/") + 1);
    const auto has = [&](std::string_view word) { return own.find(word) != own.npos; };
    if (has("sincos") || has("sin_cos")) return sin_cos;
    if (has("cossin") || has("cos_sin")) return cos_sin;
    return std::nullopt;
}

// cos ‖ sin and sin ‖ cos have the same norm: position 0, the name, or the direction of rotation
// decides. Code that reads a cos_sin_cache takes its cosines first, as vLLM does.
std::optional<FoundLayout> find_order(const Columns& cos_first, const Columns& sin_first,
                                      const std::string& name,
                                      const std::vector<double>& positions) {
    const auto by_zero = order_at_zero(cos_first, sin_first, positions);
    const auto by_name = order_of_name(name);
    if (by_zero == sin_cos && by_name == cos_sin)
        return FoundLayout{cos_sin, "its name, though row 0 is sin-cos"};
    if (by_zero) return FoundLayout{*by_zero, "cos² + sin² and row 0"};
    if (by_name) return FoundLayout{*by_name, "cos² + sin² and its name"};
    const auto rows = nearest_rows(positions);
    const double turn = rows ? cos_first.turn(rows->first, rows->second) : 0;
    if (!(std::abs(turn) > 0x1p-6)) return std::nullopt;
    return FoundLayout{turn > 0 ? cos_sin : sin_cos, "cos² + sin² and the direction of rotation"};
}

FoundLayout find_row_layout(const NamedArray& both, std::uint32_t pairs,
                            const std::vector<double>& positions) {
    const Columns cos_first = columns_of(cos_sin, both.array, pairs),
                  sin_first = columns_of(sin_cos, both.array, pairs),
                  alternating = columns_of(ggml, both.array, pairs);
    const Circles in_halves = circles_of(cos_first), next = circles_of(alternating);
    const double apart = in_halves.steady, together = next.steady;
    // the cosines of slow pairs are all about 1, and so are the sums of their squares
    if ((together > apart ? next : in_halves).alike > 0.5)
        throw InputError(
            both.name +
            ": holds cosines or sines alone; give both, with cos=FILE and sin=FILE (or "
            "--cache-layout, where it holds both)");
    if (together > apart + 0x1p-4 && together >= 0.5) return {ggml, "cos² + sin²"};
    const bool is_apart = apart > together + 0x1p-4 && apart >= 0.5;
    const auto order = find_order(cos_first, sin_first, both.name, positions);
    if (is_apart && order) return *order;
    if (!is_apart && alternating.is_identity(0) && !cos_first.is_identity(0) &&
        !sin_first.is_identity(0))
        return {ggml, "cos² + sin²"};
    if (pairs == 1 && order) return *order;  // a row is c, s in every layout
    refuse_shape(both, std::string("does not determine where its cosines and sines are; pass "
                                   "--cache-layout ") +
                           (is_apart ? "cos-sin or sin-cos" : "cos-sin, sin-cos, ggml or angles"));
}

std::uint32_t pairs_of(const NamedArray& both, std::size_t axes, const DumpHints& asked) {
    const Shape& shape = both.array.shape;
    if (axes == 2 && (shape.size() < 2 || shape.back() != 2))
        refuse_shape(both, "does not end in 2, a cosine and a sine");
    if (axes == 3 && (shape.size() < 3 || shape.back() != 2 || shape[shape.size() - 2] != 2))
        refuse_shape(both, "does not end in [2, 2], rotations by ((cos, −sin), (sin, cos))");
    const bool has_rows = shape.size() >= std::max<std::size_t>(2, axes);
    const std::uint64_t columns = !has_rows   ? 0
                                  : axes == 1 ? shape.back()
                                              : 2 * shape[shape.size() - axes];
    const bool fits = asked.spec ? columns == asked.spec->rotary_dim
                                 : columns % 2 == 0 && columns <= max_head_dim;
    if (has_rows && fits) return static_cast<std::uint32_t>(columns / 2);
    refuse_shape(both, asked.spec ? "does not end in " + decimal(asked.spec->rotary_dim) +
                                        " columns or in [" + decimal(asked.spec->pairs()) +
                                        ", 2] after the rows; rotary_dim is " +
                                        decimal(asked.spec->rotary_dim)
                                  : "is not rows of an even number of columns");
}

// Every matrix is ((c, −s), (s, c)), bit for bit.
void require_rotations(const NamedArray& both) {
    for (std::uint64_t first = 0; first + 4 <= both.array.size(); first += 4) {
        const auto at = [&](std::uint64_t k) { return both.array.at(first + k); };
        const bool is_nan = std::isnan(at(0)) || std::isnan(at(2));
        if (is_nan || (at(3) == at(0) && at(1) == -at(2))) continue;
        throw InputError(both.name + ": matrix " + decimal(first / 4) + " is ((" + decimal(at(0)) +
                         ", " + decimal(at(1)) + "), (" + decimal(at(2)) + ", " + decimal(at(3)) +
                         ")), which is not ((cos, −sin), (sin, cos))");
    }
}

// Whether each half of the columns repeats its first quarter (f0 f0 f1 f1, as in Gemma 4's vision
// tower) and the halves differ.
bool repeats_each_half(const Array& table) {
    const std::uint64_t columns = table.shape.back(), quarter = columns / 4;
    if (columns == 0 || columns % 4 != 0) return false;
    bool differ = false;
    for (std::uint64_t row = 0; row < table.size(); row += columns)
        for (std::uint64_t k = row; k < row + quarter; ++k) {
            if (table.at(k) != table.at(k + quarter) ||
                table.at(k + 2 * quarter) != table.at(k + 3 * quarter))
                return false;
            differ = differ || table.at(k) != table.at(k + 2 * quarter);
        }
    return differ;
}

// f0 f0 f1 f1 as f0 f1 f0 f1
NamedArray with_copies_last(const NamedArray& table) {
    Shape shape = table.array.shape;
    const std::uint64_t columns = shape.back(), quarter = columns / 4;
    shape.back() = quarter;
    shape.insert(shape.end() - 1, {2, 2});
    Shape strides = strides_of(shape);
    std::swap(strides[shape.size() - 3], strides[shape.size() - 2]);
    NamedArray moved{table.name, strided_copy(table.array, shape, strides)};
    moved.array.shape = table.array.shape;
    return moved;
}

}  // namespace

std::span<const LayoutForm> cache_layouts() { return forms; }

const LayoutForm& form_of(CacheLayout layout) { return forms[static_cast<std::size_t>(layout)]; }

std::string_view to_string(CacheLayout layout) { return form_of(layout).name; }

CacheLayout parse_cache_layout(std::string_view text) {
    for (const LayoutForm& form : forms)
        if (form.name == text) return form.layout;
    throw InputError("cache layout '" + printable(text, 60) + "' is not one of " +
                     join(forms, &LayoutForm::name));
}

bool is_identity(const StridedRows& cos, const StridedRows& sin, std::uint64_t pairs,
                 std::uint64_t row) {
    const double a = cos.at(row, pairs - 1);
    for (std::uint64_t pair = pairs; pair-- > 0;)
        if (!(a > 0) || cos.at(row, pair) != a || sin.at(row, pair) != 0) return false;
    return true;
}

CosSin separate_layout(const NamedArray& given_cos, const NamedArray& given_sin,
                       const DumpHints& asked) {
    require_alike(given_cos, given_sin);
    const bool are_by_halves =
        repeats_each_half(given_cos.array) && repeats_each_half(given_sin.array);
    const NamedArray cos = are_by_halves ? with_copies_last(given_cos) : given_cos;
    const NamedArray sin = are_by_halves ? with_copies_last(given_sin) : given_sin;
    require_columns(cos, asked);
    FoundLayout found = find_layout(cos, sin, asked);
    if (are_by_halves) found.from = "columns i and i + d/4 of each half are equal";
    const LayoutForm& form = form_of(found.layout);
    const std::uint64_t columns = cos.array.shape.back(), pairs = columns / form.parts.size();
    const auto view = [&](const Array& table) {
        return StridedRows(table.element, table.bytes, form.apart(asked.copy, pairs), columns,
                           form.step(), table.owner);
    };
    return {view(cos.array),
            view(sin.array),
            pairs,
            Shape(cos.array.shape.begin(), cos.array.shape.end() - 1),
            *cos.array.format(),
            std::move(found)};
}

CosSin angle_layout(const NamedArray& angles, const DumpHints& asked) {
    DumpHints of_columns = asked;
    of_columns.layout.reset();
    CosSin table = [&] {
        try {
            return separate_layout(angles, angles, of_columns);
        } catch (const InputError& error) {
            if (asked.layout) throw;
            throw InputError(std::string(error.what()) +
                             "; it is read as angles, since values exceed 4; if it holds cosines "
                             "and sines, pass --cache-layout cos-sin");
        }
    }();
    const double amplitude =
        asked.spec ? plan_frequencies(*asked.spec, exact_precision).attention_factor : 1;
    const std::uint64_t rows = angles.array.size() / angles.array.shape.back();
    std::vector<double> cos, sin, angle(table.pairs);
    cos.reserve(rows * table.pairs);
    sin.reserve(rows * table.pairs);
    for (std::uint64_t row = 0; row < rows; ++row) {
        table.cos.read(row, 0, table.pairs, angle.data());
        append_cos_sin(angle, amplitude, cos, sin);
    }
    table.cos = StridedRows(std::move(cos), table.pairs);
    table.sin = StridedRows(std::move(sin), table.pairs);
    table.format = Format::float64;
    table.found = {CacheLayout::angles, asked.layout ? "--cache-layout" : "values beyond 4",
                   table.found.copies_differ};
    return table;
}

std::size_t axes_of_row(const NamedArray& both, const DumpHints& asked) {
    const Shape& shape = both.array.shape;
    if (asked.layout) return form_of(*asked.layout).axes;
    const auto ends_in_pairs = [&](std::size_t axes) {
        return shape.size() > axes &&
               std::all_of(shape.end() - static_cast<std::ptrdiff_t>(axes) + 1, shape.end(),
                           [](auto n) { return n == 2; }) &&
               (!asked.spec || shape[shape.size() - axes] == asked.spec->pairs());
    };
    return ends_in_pairs(3) ? 3 : ends_in_pairs(2) ? 2 : 1;
}

NamedArray unflattened(NamedArray both) {
    const std::uint64_t size = both.array.size();
    if (both.array.shape.empty() || size == 0 || both.array.shape.back() != size) return both;
    const double a = both.array.at(0);
    std::uint64_t width = 0;  // of position 0
    while (a > 0 && width + 1 < size && both.array.at(width) == a && both.array.at(width + 1) == 0)
        width += 2;
    if (width > 0 && width < size && size % width == 0)
        both.array.shape = {size / width, width / 2, 2};
    return both;
}

bool has_steady_norm(const NamedArray& both) {
    const Shape& shape = both.array.shape;
    if (shape.empty() || both.array.size() == 0 || shape.back() % 2 != 0 ||
        shape.back() > max_head_dim)
        return false;
    const auto pairs = static_cast<std::uint32_t>(shape.back() / 2);
    return circles_of(columns_of(cos_sin, both.array, pairs)).steady >= 0.5 ||
           circles_of(columns_of(ggml, both.array, pairs)).steady >= 0.5;
}

namespace {

// Whether the columns hold each value twice, in one order, and a row has several values.
bool has_copies(const NamedArray& half) {
    const Array& array = half.array;
    bool has_several = false;
    for (std::uint64_t k = 0; k < array.size() && !has_several; ++k)
        has_several = array.at(k) != array.at(k - k % array.shape.back());
    return has_several &&
           (!difference({&half}, form_of(duplicated)) || !difference({&half}, form_of(repeated)));
}

using TwoArrays = std::optional<std::pair<NamedArray, NamedArray>>;

// cos and sin of rows that hold both with every value twice: [L, 2·d], or sin before cos as timm's
// RotaryEmbeddingCat, where `step` is 1: more cosines than sines are near 1. In [L, d, 2], where
// `step` is 2, cos comes first, as the real part does.
TwoArrays with_copies(const NamedArray& both, std::uint64_t width, std::uint64_t step) {
    if (width % 4 != 0) return std::nullopt;
    const std::uint64_t half = width / 2, last = both.array.size() - width;
    const auto equals_first = [&](std::uint64_t column) {
        return both.array.at(last) == both.array.at(last + column * step);
    };
    if (!equals_first(1) && !equals_first(half / 2)) return std::nullopt;  // before copying
    const std::uint64_t part = step == 1 ? half : 1;
    std::pair two{part_of_each(both, 2 * part, 0, part), part_of_each(both, 2 * part, part, part)};
    if (step == 2)
        for (NamedArray* one : {&two.first, &two.second}) one->array.shape.pop_back();
    if (!has_copies(two.first) || !has_copies(two.second)) return std::nullopt;
    const auto near_1 = [](const NamedArray& one) {
        return std::ranges::count_if(one.array.values(), [](double x) { return x > 0.99; });
    };
    if (step == 1 && near_1(two.second) > near_1(two.first)) std::swap(two.first, two.second);
    return two;
}

}  // namespace

std::optional<std::pair<NamedArray, NamedArray>> cos_and_sin_of(const NamedArray& both) {
    const Shape& shape = both.array.shape;
    const auto are_on_circles = [](const Columns& read) {
        const Circles circles = circles_of(read);
        return circles.steady >= 0.5 && circles.alike <= 0.5;
    };
    if (shape.size() < 2 || both.array.size() == 0 || !both.array.format()) return std::nullopt;
    if (shape.size() > 2 && shape.back() == 2)
        if (auto two = with_copies(both, 2 * shape[shape.size() - 2], 2)) return two;
    for (const CacheLayout layout : {cos_sin, ggml})
        if (shape.back() % 2 == 0 &&
            are_on_circles(columns_of(layout, both.array, shape.back() / 2)))
            return layout == cos_sin ? with_copies(both, shape.back(), 1) : std::nullopt;
    std::uint64_t inner = both.array.size();
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
        inner /= std::max<std::uint64_t>(shape[axis], 1);
        if (shape[axis] != 2 || inner == 0) continue;
        const auto part = [&](std::uint64_t k) {
            NamedArray one{both.name,
                           strided_copy(both.array, {both.array.size() / inner / 2, inner},
                                        {2 * inner, 1}, k * inner)};
            one.array.shape = shape;
            one.array.shape[axis] = 1;
            return one;
        };
        const std::pair two{part(0), part(1)};
        const auto rows_in = [&](const NamedArray& one) {
            return StridedRows(one.array.element, one.array.bytes, 0, shape.back(), 1,
                               one.array.owner);
        };
        const Columns read{rows_in(two.first), rows_in(two.second),
                           two.first.array.size() / shape.back(), shape.back()};
        if (are_on_circles(read)) return two;
    }
    return std::nullopt;
}

CosSin fused_layout(const NamedArray& both, const std::vector<double>& positions,
                    const DumpHints& asked) {
    require_alike(both, both);
    const std::size_t axes = axes_of_row(both, asked);
    const std::uint32_t pairs = pairs_of(both, axes, asked);
    FoundLayout found = asked.layout ? FoundLayout{*asked.layout, "--cache-layout"}
                        : axes == 3  ? FoundLayout{matrices, "last axes of 2 and 2"}
                        : axes == 2  ? FoundLayout{stacked, "a last axis of 2"}
                                     : find_row_layout(both, pairs, positions);
    if (found.layout == matrices) require_rotations(both);
    if (form_of(found.layout).array.empty())
        throw InputError("cache layout " + std::string(to_string(found.layout)) +
                         " needs two arrays; " + both.name + " is one");
    auto [cos, sin, rows, of_row] = columns_of(found.layout, both.array, pairs);
    Shape shape = both.array.shape;
    shape.resize(shape.size() - axes);
    return {std::move(cos),   std::move(sin),       of_row,
            std::move(shape), *both.array.format(), std::move(found)};
}

}  // namespace rope::io
