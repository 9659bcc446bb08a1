#include "io/tensor/readers/array.hpp"

#include <cmath>
#include <utility>

namespace rope::io {

Array typed_array(std::span<const std::byte> bytes, DataPlace place, Shape shape, Element element) {
    std::optional<std::uint64_t> count = 1;
    for (const std::uint64_t length : shape) count = count ? checked_mul(*count, length) : count;
    if (!count) throw ReadError(place.told, "the shape's product exceeds 64 bits");
    const std::uint64_t present = place.end - place.begin;
    const auto needed = checked_mul(*count, bytes_of(element));
    if (needed != present)
        throw ReadError(place.end, "the shape needs " +
                                       (needed ? decimal(*needed) : "more than 2^64") +
                                       " bytes of data and there are " + decimal(present));
    if (*count > max_array_values)
        throw ReadError(place.told, "has " + decimal(*count) + " values; the limit is " +
                                        decimal(max_array_values));
    Array array{std::move(shape), element, bytes.subspan(place.begin, present)};
    if (array.format()) return array;
    for (std::uint64_t i = 0; i < *count; ++i)
        if (std::isnan(array.at(i)))
            throw ReadError(place.begin + i * bytes_of(element),
                            "value " + decimal(i) + " is an integer beyond 2^53");
    return array;
}

}  // namespace rope::io
