#include "rope/number/element.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "rope/number/codec.hpp"

static_assert(std::endian::native == std::endian::little, "files are read as they lie");

namespace rope {
namespace {

constexpr double too_large = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// A NaN without the sign that the processor gave it: it is printed.
double from_float16(std::uint16_t word) {
    const double value = Codec<Format::float16>::value(word);
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

template <class T>
double whole(const std::byte* bytes) {
    const T value = load<T>(bytes);
    const std::uint64_t size = value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                         : static_cast<std::uint64_t>(value);
    return size > largest_exact ? too_large : static_cast<double>(value);
}

struct ElementType {
    std::string_view name;
    std::size_t bytes;
    std::optional<Format> format;
};

const ElementType& kind_of(Element element) {
    static constexpr std::array kinds{
        ElementType{"float64", 8, Format::float64},
        ElementType{"float32", 4, Format::float32},
        ElementType{"bfloat16", 2, Format::bfloat16},
        ElementType{"float16", 2, Format::float16},
        ElementType{"int64", 8, {}},
        ElementType{"int32", 4, {}},
        ElementType{"int16", 2, {}},
        ElementType{"int8", 1, {}},
        ElementType{"uint64", 8, {}},
        ElementType{"uint32", 4, {}},
        ElementType{"uint16", 2, {}},
        ElementType{"uint8", 1, {}},
    };
    return kinds[static_cast<std::size_t>(element)];
}

}  // namespace

std::string_view to_string(Element element) { return kind_of(element).name; }
std::size_t bytes_of(Element element) { return kind_of(element).bytes; }
std::optional<Format> format_of(Element element) { return kind_of(element).format; }

Element element_of(Format format) {
    switch (format) {
        case Format::float64:
            return Element::float64;
        case Format::bfloat16:
            return Element::bfloat16;
        case Format::float16:
            return Element::float16;
        default:
            return Element::float32;
    }
}

double number_at(Element element, const std::byte* bytes) {
    switch (element) {
        case Element::float64:
            return load<double>(bytes);
        case Element::float32:
            return load<float>(bytes);
        case Element::bfloat16:
            return Codec<Format::bfloat16>::value(load<std::uint16_t>(bytes));
        case Element::float16:
            return from_float16(load<std::uint16_t>(bytes));
        case Element::int64:
            return whole<std::int64_t>(bytes);
        case Element::int32:
            return whole<std::int32_t>(bytes);
        case Element::int16:
            return whole<std::int16_t>(bytes);
        case Element::int8:
            return whole<std::int8_t>(bytes);
        case Element::uint64:
            return whole<std::uint64_t>(bytes);
        case Element::uint32:
            return whole<std::uint32_t>(bytes);
        case Element::uint16:
            return whole<std::uint16_t>(bytes);
        case Element::uint8:
            return whole<std::uint8_t>(bytes);
    }
    return too_large;
}

StridedRows::StridedRows(std::vector<double> values, std::uint64_t columns) : row_stride_(columns) {
    const auto own = std::make_shared<const std::vector<double>>(std::move(values));
    bytes_ = std::as_bytes(std::span(*own));
    owner_ = own;
}

void StridedRows::read(std::uint64_t row, std::uint64_t first, std::uint64_t count,
                       double* to) const {
    const std::byte* from = place(row, first);
    const std::uint64_t step = column_stride_ * bytes_of(element_);
    // what nearly every large file holds
    if (element_ == Element::float32 && column_stride_ == 1)
        for (std::uint64_t j = 0; j < count; ++j) to[j] = load<float>(from + j * sizeof(float));
    else if (element_ == Element::float32)
        for (std::uint64_t j = 0; j < count; ++j) to[j] = load<float>(from + j * step);
    else
        for (std::uint64_t j = 0; j < count; ++j) to[j] = number_at(element_, from + j * step);
    if (divisors_)
        for (std::uint64_t j = 0; j < count; ++j) to[j] /= (*divisors_)[row];
}

void StridedRows::prefetch(std::uint64_t row, std::uint64_t count) const {
    constexpr std::size_t line = 64;
    const std::byte* from = place(row, 0);
    const std::size_t bytes = count * column_stride_ * bytes_of(element_);
    for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(from + at);
}

// Four chains side by side: a product waits for the one before it.
std::uint64_t StridedRows::mixed_bits(std::uint64_t row, std::uint64_t count) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    std::uint64_t chain[4] = {1, 2, 3, 4};
    const auto mix = [&](std::uint64_t k, std::uint64_t word) {
        std::uint64_t& bits = chain[k % 4];
        bits = (bits ^ word) * odd;
        bits ^= bits >> 29;
    };
    const std::size_t bytes = count * bytes_of(element_);
    if (column_stride_ == 1 && bytes % 8 == 0) {
        const std::byte* from = place(row, 0);
        for (std::size_t k = 0; k < bytes / 8; ++k) mix(k, load<std::uint64_t>(from + 8 * k));
    } else {
        for (std::uint64_t j = 0; j < count; ++j) mix(j, std::bit_cast<std::uint64_t>(at(row, j)));
    }
    std::uint64_t all = 0;
    for (const std::uint64_t bits : chain) all = (all ^ bits) * odd;
    return all ^ (all >> 29);
}

}  // namespace rope
