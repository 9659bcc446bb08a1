// Integers with thousands separators.
#pragma once

#include <cstdint>
#include <string>

#include "base/decimal.hpp"

namespace rope {

// 17179869184 -> "17,179,869,184"
inline std::string grouped(std::uint64_t n) {
    std::string digits = decimal(n);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
    return digits;
}

}  // namespace rope
