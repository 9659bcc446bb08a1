// Positions that are negative or fractional, without rounding.
//
// A double is n·2^e with whole n, and n·2^e positions turn a pair by n times what 2^e positions do:
// the position n of a plan whose frequencies are 2^e times as fast. R(−m) = R(m)ᵀ.
#pragma once

#include <cstdint>

#include "rope/spec/frequency.hpp"

namespace rope {

struct RealPosition {
    std::uint64_t whole = 0;  // n < 2^53
    int exponent = 0;         // e ≤ 0
    bool negative = false;
};

// Throws InputError unless |position| < 2^32.
RealPosition real_position(double position);

// A frequency, and all of a plan's, with 2^exponent as the unit of positions; exponent ≤ 0.
PlannedFrequency in_units(PlannedFrequency frequency, int exponent);
FrequencyPlan in_units(const FrequencyPlan& plan, int exponent);

}  // namespace rope
