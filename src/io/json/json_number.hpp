// A number as our JSON spells it.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace rope::io {

// The library would write null for what is not finite.
inline nlohmann::ordered_json json_number(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    return x;
}

// A position: 4097, not 4097.0. |position| < 2^63.
inline nlohmann::ordered_json json_position(double position) {
    if (position != std::trunc(position)) return position;
    return static_cast<std::int64_t>(position);
}

}  // namespace rope::io
