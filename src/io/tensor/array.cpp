#include "io/tensor/array.hpp"

#include <cstring>

namespace rope::io {

Array typed_array(std::span<const std::byte> bytes, DataPlace place, Shape shape, Element element) {
    std::optional<std::uint64_t> count = 1;
    for (const std::uint64_t length : shape) count = count ? checked_mul(*count, length) : count;
    if (!count) throw ReadError(place.shape_offset, "the shape's product exceeds 64 bits");
    const std::uint64_t present = place.end - place.begin;
    const auto needed = checked_mul(*count, bytes_of(element));
    if (needed != present)
        throw ReadError(place.end, "the shape needs " +
                                       (needed ? decimal(*needed) : "more than 2^64") +
                                       " bytes of data and there are " + decimal(present));
    if (*count > max_array_values)
        throw ReadError(place.shape_offset, "has " + decimal(*count) + " values; the limit is " +
                                                decimal(max_array_values));
    Array array{std::move(shape), element, bytes.subspan(place.begin, present)};
    if (array.format()) return array;
    for (std::uint64_t i = 0; i < *count; ++i)
        if (std::isnan(array.at(i)))
            throw ReadError(place.begin + i * bytes_of(element),
                            "value " + decimal(i) + " is an integer beyond 2^53");
    return array;
}

Shape strides_of(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * shape[axis];
    return strides;
}

Array strided_copy(const Array& array, Shape shape, const Shape& strides, std::uint64_t first) {
    const std::size_t bytes = bytes_of(array.element);
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape) count *= length;
    const auto own = std::make_shared<std::vector<std::byte>>(count * bytes);
    // neighbours along a last axis of stride 1 are copied together
    const bool has_runs = !shape.empty() && strides.back() == 1;
    const std::size_t axes = shape.size() - (has_runs ? 1 : 0),
                      run = has_runs ? shape.back() * bytes : bytes;
    Shape index(axes, 0);
    for (std::size_t to = 0; to < own->size(); to += run) {
        std::memcpy(own->data() + to, array.bytes.data() + first * bytes, run);
        for (std::size_t axis = axes; axis-- > 0;) {
            first += strides[axis];
            if (++index[axis] < shape[axis]) break;
            first -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return {std::move(shape), array.element, *own, own};
}

}  // namespace rope::io
