#include "io/tensor/writers/written_array.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

namespace rope::io {
namespace {

std::uint16_t bfloat16_bits(double x) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(x)) >> 16);
}

// x = ±f·2^(e−10) with 1024 ≤ f < 2048 and −14 ≤ e ≤ 15, or a subnormal, or no finite number.
unsigned float16_magnitude(double size) {
    if (std::isnan(size)) return 0x7e00;
    if (size >= 65536) return 0x7c00;
    if (size < 0x1p-14) return static_cast<unsigned>(size * 0x1p24);
    const int e = std::ilogb(size);
    return (static_cast<unsigned>(e + 14) << 10) + static_cast<unsigned>(std::ldexp(size, 10 - e));
}

std::uint16_t float16_bits(double x) {
    const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
    return static_cast<std::uint16_t>(sign | float16_magnitude(std::abs(x)));
}

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
            return store(bfloat16_bits(x), to);
        case Element::float16:
            return store(float16_bits(x), to);
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

Array encoded(Element element, std::vector<std::uint64_t> shape, std::span<const double> values) {
    const std::size_t each = bytes_of(element);
    const auto own = std::make_shared<std::vector<std::byte>>(values.size() * each);
    for (std::size_t i = 0; i < values.size(); ++i)
        encode(element, values[i], own->data() + i * each);
    return {std::move(shape), element, *own, own};
}

}  // namespace rope::io
