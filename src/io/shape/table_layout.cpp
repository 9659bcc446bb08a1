// Cosines and sines in arrays of their own, as angles, and columns that hold each value twice.
#include "io/shape/table_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/decimal.hpp"
#include "io/shape/position_ids.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

// Do the columns of a table hold every value twice?

// NaNs are equal, whatever their payloads.
bool is_same(Element element, const std::byte* a, const std::byte* b) {
    return std::memcmp(a, b, bytes_of(element)) == 0 ||
           (std::isnan(number_at(element, a)) && std::isnan(number_at(element, b)));
}

template <class Word>
bool neighbours_are_same(const std::byte* row, std::uint64_t columns) {
    bool same = true;
    for (std::uint64_t j = 0; j < columns; j += 2) {
        Word pair[2];
        std::memcpy(pair, row + j * sizeof(Word), sizeof pair);
        same &= pair[0] == pair[1];
    }
    return same;
}

bool is_row_copied(const std::byte* row, std::uint64_t columns, Element element, Copies copies) {
    const std::size_t bytes = bytes_of(element);
    if (copies == Copies::halves)
        return std::memcmp(row, row + columns / 2 * bytes, columns / 2 * bytes) == 0;
    if (bytes == 4) return neighbours_are_same<std::uint32_t>(row, columns);
    if (bytes == 2) return neighbours_are_same<std::uint16_t>(row, columns);
    return neighbours_are_same<std::uint64_t>(row, columns);
}

// Pair i is in columns step·i and step·i + apart.
struct Places {
    std::uint64_t step, apart;
};
Places places(Copies copies, std::uint64_t columns) {
    return copies == Copies::halves ? Places{1, columns / 2} : Places{2, 1};
}

}  // namespace

std::optional<CopyDifference> copy_difference(const Array& table, Copies copies) {
    const std::uint64_t columns = table.shape.back();
    const std::size_t bytes = bytes_of(table.element);
    const auto [step, apart] = places(copies, columns);
    for (std::uint64_t row = 0; row < table.size() / columns; ++row) {
        const std::byte* at = table.bytes.data() + row * columns * bytes;
        if (is_row_copied(at, columns, table.element, copies)) continue;
        for (std::uint64_t pair = 0; pair < columns / 2; ++pair) {
            const std::uint64_t first = step * pair, second = first + apart;
            if (!is_same(table.element, at + first * bytes, at + second * bytes))
                return CopyDifference{row, first, second};
        }
    }
    return std::nullopt;
}

namespace {

// cos and sin in two arrays.

constexpr const char* said = "--cache-layout";

using Tables = std::initializer_list<const NamedArray*>;

// "cos: columns 36 and 100 of row 100 differ", or nothing where every value stands twice.
std::optional<std::string> difference(Tables tables, Copies copies) {
    for (const NamedArray* table : tables)
        if (const auto found = copy_difference(table->array, copies))
            return table->name + ": columns " + decimal(found->first) + " and " +
                   decimal(found->second) + " of row " + decimal(found->row) + " differ";
    return std::nullopt;
}

// The share of the values that stand twice, of the table with the most.
double share_of_copies(Tables tables, Copies copies) {
    double most = 0;
    for (const NamedArray* table : tables) {
        const Array& array = table->array;
        const std::uint64_t columns = array.shape.back(), pairs = columns / 2;
        const std::size_t bytes = bytes_of(array.element);
        const auto [step, apart] = places(copies, columns);
        std::uint64_t same = 0;
        for (std::uint64_t k = 0; k < array.size() / 2; ++k) {
            const std::byte* first =
                array.bytes.data() + (k / pairs * columns + k % pairs * step) * bytes;
            same += is_same(array.element, first, first + apart * bytes) ? 1 : 0;
        }
        const double size = static_cast<double>(array.size()) / 2;
        most = std::max(most, static_cast<double>(same) / size);
    }
    return most;
}

struct FoundCopies {
    Copies copies;
    std::string differ;  // where they do
};

// The copies that most values have, where `halves` and `neighbours` say what else is there.
FoundCopies most_copies(Tables tables, const std::string& halves, const std::string& neighbours) {
    const double in_halves = share_of_copies(tables, Copies::halves);
    const double of_neighbours = share_of_copies(tables, Copies::neighbours);
    if (std::max(in_halves, of_neighbours) <= 0.5 || in_halves == of_neighbours)
        throw InputError(halves + ", so it is not cat(f, f); " + neighbours +
                         ", so it is not f0 f0 f1 f1");
    return in_halves > of_neighbours ? FoundCopies{Copies::halves, halves}
                                     : FoundCopies{Copies::neighbours, neighbours};
}

void require_columns(const NamedArray& table, const DumpHints& asked) {
    const std::vector<std::uint64_t>& shape = table.array.shape;
    if (!asked.spec) {
        if (shape.size() >= 2 && shape.back() <= max_head_dim) return;
        throw InputError(table.name + ": shape " + shape_text(shape) +
                         " is not rows of 1 to 65536 columns");
    }
    const std::uint64_t rotary_dim = asked.spec->rotary_dim;
    if (shape.size() >= 2 && (shape.back() == rotary_dim || 2 * shape.back() == rotary_dim)) return;
    throw InputError(table.name + ": shape " + shape_text(shape) + " does not end in " +
                     decimal(rotary_dim / 2) + " or " + decimal(rotary_dim) +
                     " columns after the rows; rotary_dim is " + decimal(rotary_dim));
}

void require_layout_of_two(CacheLayout layout) {
    using enum CacheLayout;
    if (layout == half || layout == duplicated || layout == repeated) return;
    throw InputError("cache layout " + std::string(to_string(layout)) +
                     " needs one array; separate cos and sin are half, duplicated or repeated");
}

// Whether the second half of the pairs has the frequencies of the first: at positions that all axes
// share, f0 f0 f1 f1 … is then cat(f, f) besides.
bool repeats_frequencies(const DumpHints& asked) {
    if (!asked.spec || asked.spec->pairs() % 2 != 0) return false;
    const auto steps = frequency_steps(asked.spec->axes, asked.spec->pairs());
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    return std::equal(steps.begin(), middle, middle);
}

struct FoundLayout {
    CacheLayout layout;
    const char* from;
    std::string copies_differ = {};
};

// The layout, from the Spec, the caller or else the copies.
FoundLayout find_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked) {
    using enum CacheLayout;
    if (asked.layout) require_layout_of_two(*asked.layout);
    const std::uint64_t columns = cos.array.shape.back();
    const bool half_fits = !asked.spec || columns == asked.spec->pairs();
    if (asked.layout == half && !half_fits)
        throw InputError(cos.name + ": " + decimal(columns) +
                         " columns are not half of rotary_dim " + decimal(asked.spec->rotary_dim));
    if (asked.layout == half) return {half, said};
    if (!asked.layout && half_fits && asked.spec) return {half, "rotary_dim/2 columns"};
    if (!asked.layout && columns % 2 != 0) return {half, "an odd number of columns"};
    if (columns % 2 != 0)
        throw InputError(cos.name + ": " + decimal(columns) + " columns hold nothing twice");

    const auto halves = difference({&cos, &sin}, Copies::halves);
    const FoundLayout copied{duplicated, asked.layout ? said : "columns i and i + d/2 are equal"};
    const bool is_open = asked.layout ? asked.layout == repeated : repeats_frequencies(asked);
    if (!halves && !is_open) return copied;
    if (asked.layout == duplicated) throw InputError(*halves + ", so it is not cat(f, f)");
    const auto neighbours = difference({&cos, &sin}, Copies::neighbours);
    if (!neighbours) return {repeated, asked.layout ? said : "columns 2i and 2i + 1 are equal"};
    if (asked.layout == repeated) throw InputError(*neighbours + ", so it is not f0 f0 f1 f1");
    if (!halves) return copied;
    if (half_fits) return {half, "no columns are equal"};
    const FoundCopies most = most_copies({&cos, &sin}, *halves, *neighbours);
    if (most.copies == Copies::halves)
        return {duplicated, "most columns i and i + d/2 are equal", most.differ};
    return {repeated, "most columns 2i and 2i + 1 are equal", most.differ};
}

}  // namespace

CosSin separate_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked) {
    require_alike(cos, sin);
    require_columns(cos, asked);
    const auto [layout, from, copies_differ] = find_layout(cos, sin, asked);
    const std::uint64_t columns = cos.array.shape.back();
    const auto [step, apart] =
        places(layout == CacheLayout::repeated ? Copies::neighbours : Copies::halves, columns);
    const std::uint64_t pairs = layout == CacheLayout::half ? columns : columns / 2;
    const auto view = [&, first = asked.copy * apart, step = step](const Array& table) {
        return StridedRows(table.element, table.bytes, first, columns, step, table.owner);
    };
    CosSin found{view(cos.array),
                 view(sin.array),
                 static_cast<std::uint32_t>(pairs),
                 cos.array.shape,
                 *cos.array.format(),
                 layout,
                 from,
                 copies_differ};
    found.rows.pop_back();
    return found;
}

namespace {

// Angles m·θ -> their cosines and sines.

constexpr double largest_angle = 0x1p33;
constexpr std::size_t block = 256;

// A double is the sum of three floats, exactly; so e^{ix} is the product of three rotations.
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

// Angles that no position could have come to are not numbers.
void fill(const std::vector<double>& angle, double amplitude, std::vector<double>& cos,
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

struct Columns {
    std::uint64_t first, pairs, step;
    std::string copies_differ = {};
};

// Once, as cat(f, f), or as f0 f0 f1 f1.
Columns find_columns(const NamedArray& angles, const DumpHints& asked) {
    const std::vector<std::uint64_t>& shape = angles.array.shape;
    const std::uint64_t columns = shape.empty() ? 0 : shape.back();
    const bool is_half = asked.spec ? columns == asked.spec->pairs() : false;
    const bool fits = asked.spec ? is_half || columns == asked.spec->rotary_dim
                                 : columns > 0 && columns <= max_head_dim;
    if (shape.size() < 2 || !fits)
        throw InputError(angles.name + ": shape " + shape_text(shape) +
                         (asked.spec ? " does not end in " + decimal(asked.spec->pairs()) + " or " +
                                           decimal(asked.spec->rotary_dim) + " angles per row"
                                     : " is not rows of angles"));
    if (is_half || columns % 2 != 0) return {0, columns, 1};
    const auto halves = difference({&angles}, Copies::halves);
    if (!halves) return {0, columns / 2, 1};
    const auto neighbours = difference({&angles}, Copies::neighbours);
    if (!neighbours) return {0, columns / 2, 2};
    if (!asked.spec) return {0, columns, 1};
    const auto [copies, differ] = most_copies({&angles}, *halves, *neighbours);
    const auto [step, apart] = places(copies, columns);
    return {asked.copy * apart, columns / 2, step, differ};
}

}  // namespace

CosSin angle_layout(const NamedArray& angles, const DumpHints& asked) {
    require_alike(angles, angles);
    const auto [first, pairs, step, copies_differ] = find_columns(angles, asked);
    const double amplitude =
        asked.spec ? plan_frequencies(*asked.spec, exact_precision).attention_factor : 1;
    const std::uint64_t columns = angles.array.shape.back();
    const std::uint64_t rows = angles.array.size() / columns;
    std::vector<double> cos, sin, angle(pairs);
    cos.reserve(rows * pairs);
    sin.reserve(rows * pairs);
    for (std::uint64_t row = 0; row < rows; ++row) {
        for (std::uint64_t i = 0; i < pairs; ++i)
            angle[i] = angles.array.at(row * columns + first + i * step);
        fill(angle, amplitude, cos, sin);
    }
    CosSin found{StridedRows(std::move(cos), pairs),
                 StridedRows(std::move(sin), pairs),
                 static_cast<std::uint32_t>(pairs),
                 angles.array.shape,
                 Format::float64,
                 CacheLayout::angles,
                 asked.layout ? "--cache-layout" : "values beyond 4",
                 copies_differ};
    found.rows.pop_back();
    return found;
}

}  // namespace rope::io
