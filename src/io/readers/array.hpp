// An n-dimensional array as a file holds it, widened to double.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rope/format.hpp"

namespace rope::io {

inline constexpr std::uint64_t max_array_values = std::uint64_t{1} << 28;

struct Array {
    std::vector<std::uint64_t> shape;  // empty for a scalar
    std::optional<Format> format;      // nothing for integers, whose size is at most 2^53
    std::vector<double> values;        // row-major
};

// Where a file breaks its format, and how.
struct ReadError {
    std::uint64_t offset = 0;  // bytes from the start of what was handed in
    std::string what;
};

template <typename T>
using ReadResult = std::variant<T, ReadError>;

}  // namespace rope::io
