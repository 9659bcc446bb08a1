// An n-dimensional array as it lies in a file, and how it is read from the file's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rope/number/element.hpp"

namespace rope::io {

// An n-dimensional array as it lies in a file.

inline constexpr std::uint64_t max_array_values = std::uint64_t{1} << 28;

struct Array {
    std::vector<std::uint64_t> shape;  // empty for a scalar
    Element element = Element::float64;
    std::span<const std::byte> bytes;        // row-major, little-endian, as many as the shape needs
    std::shared_ptr<const void> owner = {};  // keeps them alive; a reader leaves it to its caller

    std::uint64_t size() const { return bytes.size() / bytes_of(element); }
    double at(std::uint64_t index) const {
        return number_at(element, bytes.data() + index * bytes_of(element));
    }
    std::vector<double> values() const {
        std::vector<double> all(size());
        for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = at(i);
        return all;
    }
    std::optional<Format> format() const { return format_of(element); }
};

// Where a file breaks its format, and how.
struct ReadError {
    std::uint64_t offset = 0;  // bytes from the start of what was handed in
    std::string what;
};

template <typename T>
using ReadResult = std::variant<T, ReadError>;

// Bytes of a file -> an array, once a shape and a type have been read somewhere.

// Where an array's data lie in a file, and where the file gives their shape.
struct DataPlace {
    std::uint64_t begin, end;
    std::uint64_t told;
};

// Refuses a shape that the data do not fill exactly, more than max_array_values, and integers
// that no double holds. Requires place.begin <= place.end <= bytes.size().
ReadResult<Array> typed_array(std::span<const std::byte> bytes, DataPlace place,
                              std::vector<std::uint64_t> shape, Element element);

// A file without a header, numbers only.
ReadResult<Array> read_raw(std::span<const std::byte> bytes, Element element,
                           std::vector<std::uint64_t> shape);

// Unsigned little-endian numbers out of bytes. The caller has checked that they exist.

template <std::size_t Bytes>
constexpr std::uint64_t little_endian(std::span<const std::byte> bytes, std::size_t offset) {
    static_assert(Bytes <= 8);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < Bytes; ++i)
        value |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
    return value;
}

// Arithmetic on lengths that a file claims: nothing instead of a wrapped value.

constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
    if (a > std::numeric_limits<std::uint64_t>::max() - b) return std::nullopt;
    return a + b;
}

constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
    if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
    return a * b;
}

// An array on disk.

// An array and the name that messages and origins call it by.
struct NamedArray {
    std::string name;
    Array array;
};

}  // namespace rope::io
