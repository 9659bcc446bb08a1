// Positions of rows: whole or fractional, of either sign.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace rope {

// The order of rows, outward from 0: 0, −1, 1, −2, 2, …, so that those within any distance of it
// come first.
inline bool is_nearer_zero(double a, double b) {
    const double from = std::abs(a), to = std::abs(b);
    return from < to || (from == to && a < b);
}

// The shortest sequence whose positions reach as far; 0 of none.
inline std::uint64_t context_of(std::span<const double> positions) {
    if (positions.empty()) return 0;
    return static_cast<std::uint64_t>(
               std::abs(*std::ranges::max_element(positions, is_nearer_zero))) +
           1;
}

}  // namespace rope
