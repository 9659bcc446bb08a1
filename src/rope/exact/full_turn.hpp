#pragma once

#include <numbers>

namespace rope {

inline constexpr double full_turn = 2 * std::numbers::pi;  // radians

}  // namespace rope
