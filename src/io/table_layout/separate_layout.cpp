// cos and sin in two arrays.
#include <algorithm>

#include "base/decimal.hpp"
#include "io/shape/position_ids.hpp"
#include "io/table_layout/table_layout.hpp"

namespace rope::io {
namespace {

constexpr const char* said = "--cache-layout";

std::string say(const NamedArray& table, const CopyDifference& difference) {
    return table.name + ": columns " + decimal(difference.first) + " and " +
           decimal(difference.second) + " of row " + decimal(difference.row);
}

// Where the copies first differ, or nothing where both arrays have them.
std::optional<std::string> difference(const NamedArray& cos, const NamedArray& sin, Copies copies) {
    for (const NamedArray* table : {&cos, &sin})
        if (const auto found = copy_difference(table->array, copies)) return say(*table, *found);
    return std::nullopt;
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

    const auto halves = difference(cos, sin, Copies::halves);
    const FoundLayout copied{duplicated, asked.layout ? said : "columns i and i + d/2 are equal"};
    const bool is_open = asked.layout ? asked.layout == repeated : repeats_frequencies(asked);
    if (!halves && !is_open) return copied;
    if (asked.layout == duplicated) throw InputError(*halves + " differ, so it is not cat(f, f)");
    const auto neighbours = difference(cos, sin, Copies::neighbours);
    if (!neighbours) return {repeated, asked.layout ? said : "columns 2i and 2i + 1 are equal"};
    if (asked.layout == repeated)
        throw InputError(*neighbours + " differ, so it is not f0 f0 f1 f1");
    if (!halves) return copied;
    if (half_fits) return {half, "no columns are equal"};
    throw InputError(*halves + " differ, so it is not cat(f, f); " + *neighbours +
                     " differ, so it is not f0 f0 f1 f1");
}

}  // namespace

CosSin separate_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked) {
    require_alike(cos, sin);
    require_columns(cos, asked);
    const auto [layout, from] = find_layout(cos, sin, asked);
    const std::uint64_t columns = cos.array.shape.back();
    const std::uint64_t step = layout == CacheLayout::repeated ? 2 : 1;
    const std::uint64_t pairs = layout == CacheLayout::half ? columns : columns / 2;
    const auto view = [&](const Array& table) {
        return StridedRows(table.element, table.bytes, 0, columns, step, table.owner);
    };
    CosSin found{view(cos.array),
                 view(sin.array),
                 static_cast<std::uint32_t>(pairs),
                 cos.array.shape,
                 *cos.array.format(),
                 layout,
                 from};
    found.rows.pop_back();
    return found;
}

}  // namespace rope::io
