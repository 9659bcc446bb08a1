// Arithmetic on lengths that a file claims: nothing instead of a wrapped value.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace rope::io {

constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
    if (a > std::numeric_limits<std::uint64_t>::max() - b) return std::nullopt;
    return a + b;
}

constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
    if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
    return a * b;
}

}  // namespace rope::io
