// Vectors whose last two axes are the dimensions of a head and the positions, [..., d, S].
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "rope/number/element.hpp"
#include "rope/number/row_sample.hpp"

namespace rope::io {
namespace {

// The last two axes, and the number of matrices that these are.
struct Matrices {
    std::uint64_t count, rows, columns;
};

Matrices matrices_of(const Array& array) {
    const std::uint64_t columns = array.shape.back(), rows = array.shape[array.shape.size() - 2];
    return {rows * columns == 0 ? 0 : array.size() / rows / columns, rows, columns};
}

// Whether vectors along the last axis, or along the one before it, have the same norms before and
// after. A rotation keeps the norms along the dimensions.
bool keeps_norms(const Array& before, const Array& after, bool along_last) {
    constexpr std::uint64_t most = 64;     // vectors
    constexpr double most_apart = 0x1p-5;  // of squares, of bfloat16 numbers that are rounded twice
    const Matrices all = matrices_of(before);
    const std::uint64_t length = along_last ? all.columns : all.rows,
                        step = along_last ? 1 : all.columns,
                        others = along_last ? all.rows : all.columns, count = all.count * others;
    std::uint64_t moved = 0;
    for (std::uint64_t k = 0; k < std::min(count, most); ++k) {
        const std::uint64_t vector = sampled_row(k, count, most),
                            first = vector / others * all.rows * all.columns +
                                    vector % others * (along_last ? all.columns : 1);
        double own = 0, other = 0;
        bool is_moved = false;
        for (std::uint64_t i = 0; i < length; ++i) {
            const double x = before.at(first + i * step), y = after.at(first + i * step);
            own += x * x;
            other += y * y;
            is_moved = is_moved || x != y;
        }
        if (!(std::abs(own - other) <= most_apart * own)) return false;
        moved += is_moved ? 1 : 0;
    }
    return moved > 0;
}

NamedArray exchanged(const NamedArray& vectors) {
    const Array& array = vectors.array;
    const Matrices all = matrices_of(array);
    const std::size_t bytes = bytes_of(array.element);
    const auto own = std::make_shared<std::vector<std::byte>>(array.bytes.size());
    for (std::uint64_t k = 0; k < array.size(); ++k) {
        const std::uint64_t matrix = k / all.rows / all.columns, row = k / all.columns % all.rows,
                            to = (matrix * all.columns + k % all.columns) * all.rows + row;
        std::memcpy(own->data() + to * bytes, array.bytes.data() + k * bytes, bytes);
    }
    Shape shape = array.shape;
    std::swap(shape.back(), shape[shape.size() - 2]);
    return {vectors.name, {std::move(shape), array.element, *own, own}};
}

}  // namespace

bool exchange_last_axes(NamedArray& before, NamedArray& after,
                        const std::vector<std::uint64_t>& widths, bool are_named) {
    const Shape& shape = after.array.shape;
    if (shape.size() < 2 || shape != before.array.shape || after.array.size() == 0 ||
        !before.array.format() || !after.array.format())
        return false;
    const std::uint64_t last = shape.back(), inner = shape[shape.size() - 2];
    const auto is_width = [&](std::uint64_t n) { return std::ranges::count(widths, n) > 0; };
    if (widths.empty() ? !are_named : !is_width(inner)) return false;
    const bool along_last = keeps_norms(before.array, after.array, true),
               along_inner = keeps_norms(before.array, after.array, false);
    const bool may_be_heads = std::ranges::any_of(widths, [&](std::uint64_t width) {
        return last == width || (shape.size() <= 3 && last % width == 0);
    });
    const bool is_transposed = along_last == along_inner ? are_named || !may_be_heads : along_inner;
    if (!is_transposed) return false;
    before = exchanged(before);
    after = exchanged(after);
    return true;
}

}  // namespace rope::io
