// Which arithmetic a subject's angles are like: the least that explains every pair.
#pragma once

#include <vector>

#include "rope/subject/pipeline.hpp"

namespace rope {

struct Comparison;

struct Profile {
    // Of each pair the least K that keeps every row within its allowance, a component within
    // rounding + K·2^-24·mθ and both within √2·rounding + K·2^-24·mθ; infinity after NaN.
    std::vector<double> k;
    // The most exact that explains every value. If none does, the one that explains most.
    Arithmetic arithmetic = Arithmetic::exact;
    bool explains = true;
    bool reduced = false;  // angles besides, modulo 2π and rounded once to float32
};

// What rounding an angle of less than 8 to float32 moves it by.
inline constexpr double reduced_angle_error = 0x1p-22;

// Of all rows but those at position 0. The comparison's slopes are not used.
Profile profile_of(const Comparison& comparison, unsigned threads);

}  // namespace rope
