#include "io/tensor/writers/written_array.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "rope/number/codec.hpp"

namespace rope::io {
namespace {

template <typename T>
void store(T value, std::byte* to) {
    std::memcpy(to, &value, sizeof value);
}

void encode(Element element, double x, std::byte* to) {
    switch (element) {
        case Element::float64:
            return store(x, to);
        case Element::float32:
            return store(static_cast<float>(x), to);
        case Element::bfloat16:
            return store(Codec<Format::bfloat16>::nearest(static_cast<float>(x)), to);
        case Element::float16:
            return store(Codec<Format::float16>::nearest(static_cast<float>(x)), to);
        case Element::int64:
        case Element::uint64:
            return store(static_cast<std::int64_t>(x), to);
        case Element::int32:
        case Element::uint32:
            return store(static_cast<std::uint32_t>(static_cast<std::int64_t>(x)), to);
        case Element::int16:
        case Element::uint16:
            return store(static_cast<std::uint16_t>(static_cast<std::int64_t>(x)), to);
        case Element::int8:
        case Element::uint8:
            return store(static_cast<std::uint8_t>(static_cast<std::int64_t>(x)), to);
    }
}

}  // namespace

std::uint64_t byte_count(const WrittenArray& array) {
    std::uint64_t count = bytes_of(array.array.element);
    for (const std::uint64_t axis : array.array.shape) count *= axis;
    return count;
}

void write_bytes(const WrittenArray& array, const Sink& write) {
    if (array.parts) return array.parts(write);
    write(text_of(array.array.bytes));
}

WrittenArray counted(WrittenArray array, TaskCount* bytes) {
    if (bytes == nullptr) return array;
    bytes->all += byte_count(array);
    array.parts = [one = array, bytes](const Sink& write) {
        write_bytes(one, [&](std::string_view part) {
            write(part);
            bytes->ended += part.size();
        });
    };
    return array;
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Array encoded(Element element, std::vector<std::uint64_t> shape, std::span<const double> values) {
    const std::size_t each = bytes_of(element);
    const auto own = std::make_shared<std::vector<std::byte>>(values.size() * each);
    for (std::size_t i = 0; i < values.size(); ++i)
        encode(element, values[i], own->data() + i * each);
    return {std::move(shape), element, *own, own};
}

Array encoded_positions(std::vector<std::uint64_t> shape, std::span<const double> positions) {
    const bool whole = std::ranges::all_of(positions, [](double m) { return m == std::trunc(m); });
    return encoded(whole ? Element::int64 : Element::float64, std::move(shape), positions);
}

}  // namespace rope::io
