#include "io/tensor/readers/array.hpp"

#include <cmath>
#include <utility>

#include "base/decimal.hpp"

namespace rope::io {

ReadResult<Array> typed_array(std::span<const std::byte> bytes, DataPlace place,
                              std::vector<std::uint64_t> shape, Element element) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape) {
        const auto product = checked_mul(count, length);
        if (!product) return ReadError{place.told, "the shape's product exceeds 64 bits"};
        count = *product;
    }
    const std::uint64_t present = place.end - place.begin;
    const auto needed = checked_mul(count, bytes_of(element));
    if (!needed || *needed != present)
        return ReadError{place.end, "the shape needs " +
                                        (needed ? decimal(*needed) : "more than 2^64") +
                                        " bytes of data and there are " + decimal(present)};
    if (count > max_array_values)
        return ReadError{place.told, "has " + decimal(count) + " values; the limit is " +
                                         decimal(max_array_values)};
    Array array{std::move(shape), element, bytes.subspan(place.begin, present)};
    if (array.format()) return array;
    for (std::uint64_t i = 0; i < count; ++i)
        if (std::isnan(array.at(i)))
            return ReadError{place.begin + i * bytes_of(element),
                             "value " + decimal(i) + " is an integer beyond 2^53"};
    return array;
}

ReadResult<Array> read_raw(std::span<const std::byte> bytes, Element element,
                           std::vector<std::uint64_t> shape) {
    return typed_array(bytes, {0, bytes.size(), 0}, std::move(shape), element);
}

}  // namespace rope::io
