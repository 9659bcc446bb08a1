// A number as our JSON spells it.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace rope::io {

// The library would write null for what is not finite.
inline nlohmann::ordered_json json_number(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    return x;
}

}  // namespace rope::io
