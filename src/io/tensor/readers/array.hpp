// An n-dimensional array as it lies in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rope/number/element.hpp"

namespace rope::io {

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

}  // namespace rope::io
