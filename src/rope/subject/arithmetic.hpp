// How frequencies and angles are computed, and how far each way may be from the truth.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "rope/spec/frequency.hpp"

namespace rope {

// From the most exact to the least; an angle that one of them explains, the next explains too.
enum class Arithmetic {
    exact,      // float64 throughout, the angle included
    rounded,    // frequencies in float64, rounded once to float32; float32 angles
    pow,        // base^(2i/d) in float32
    exp,        // exp(-2i/d·ln base) in float32
    iterative,  // ggml: θ ← θ·base^(-2/d) in float32, pair after pair
};

inline constexpr std::array arithmetics{Arithmetic::exact, Arithmetic::rounded, Arithmetic::pow,
                                        Arithmetic::exp, Arithmetic::iterative};
inline constexpr Arithmetic least_exact = Arithmetic::iterative;
// Of any but the least exact.
constexpr Arithmetic next_less_exact(Arithmetic arithmetic) {
    return arithmetics[static_cast<std::size_t>(arithmetic) + 1];
}

std::string_view to_string(Arithmetic arithmetic);  // "pow"
std::string_view in_words(Arithmetic arithmetic);   // "like a float32 power"

// K of each pair: its angle is off by at most K·2^-24·mθ, below positions of 2^24. 0 in all of
// them where θ is base^0 by a power of two: nothing is rounded there.
std::vector<double> angle_k(Arithmetic arithmetic, const Spec& spec, const FrequencyPlan& plan);

}  // namespace rope
