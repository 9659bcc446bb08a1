#include "io/shape/position_axes.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

Shape without(Shape shape, std::size_t axis) {
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return shape;
}

// [L] or [B, L] of axes that the rows have; heads of a batch of one, [1, heads, L], are no batch.
bool fits(Shape ids, const Shape& rows) {
    std::erase(ids, std::uint64_t{1});
    if (ids.size() == 2 && rows.size() == 3 && rows[0] == 1) return false;
    return ids.size() <= 2 && std::ranges::all_of(ids, [&](std::uint64_t length) {
               return std::ranges::find(rows, length) != rows.end();
           });
}

bool may_have_a_batch(const DumpHints& asked) {
    return !asked.has_no_batch && (asked.axes.empty() || asked.axes.find('b') != std::string::npos);
}

NamedArray slice(const NamedArray& whole, std::size_t axis, std::uint64_t index) {
    const Shape& shape = whole.array.shape;
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    const std::uint64_t inner =
        std::accumulate(at + 1, shape.end(), std::uint64_t{1}, std::multiplies<>());
    const std::size_t bytes = inner * bytes_of(whole.array.element);
    const auto own =
        std::make_shared<std::vector<std::byte>>(whole.array.bytes.size() / shape[axis]);
    for (std::size_t k = 0; bytes > 0 && k < own->size() / bytes; ++k)
        std::memcpy(own->data() + k * bytes,
                    whole.array.bytes.data() + (k * shape[axis] + index) * bytes, bytes);
    return {whole.name, {without(shape, axis), whole.array.element, *own, own}};
}

// modeling_qwen2_vl.py of transformers puts the text's own positions before those of time, height
// and width: [4, B, L].
bool has_text_first(const Shape& shape, std::uint64_t count, const Shape& rows) {
    return count == 3 && shape.size() == 3 && shape[0] == 4 && fits(without(shape, 0), rows);
}

}  // namespace

std::vector<NamedArray> positions_by_axis(const NamedArray& positions, const DumpHints& asked,
                                          const Shape& rows) {
    const Shape& shape = positions.array.shape;
    const std::uint64_t count = asked.spec ? axis_count(asked.spec->axes) : 0;
    if (count == 1 || shape.size() < 2 || shape.size() > 3 || positions.array.size() == 0)
        return {positions};
    if (!asked.spec && may_have_a_batch(asked) && fits(shape, rows)) return {positions};
    if (has_text_first(shape, count, rows))
        return {slice(positions, 0, 1), slice(positions, 0, 2), slice(positions, 0, 3)};
    const auto could_be = [&](std::size_t axis) {
        const std::uint64_t length = shape[axis];
        return asked.spec ? length == count : length >= 2 && length <= 4;
    };
    const std::size_t last = shape.size() - 1;
    const bool is_last = could_be(last) && fits(without(shape, last), rows) &&
                         !(could_be(0) && fits(without(shape, 0), rows));
    if (!is_last && !could_be(0)) return {positions};
    const std::size_t axis = is_last ? last : 0;
    std::vector<NamedArray> all;
    for (std::uint64_t a = 0; a < shape[axis]; ++a) all.push_back(slice(positions, axis, a));
    return all;
}

}  // namespace rope::io
