// How frequencies and angles are computed, and how far each way may be from the truth.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "rope/variants/frequency_plan.hpp"

namespace rope {

// From the most exact to the least; an angle that one of them explains, the next explains too, but
// for `reduced`: it alone rounds angles of θ = 1.
enum class Arithmetic {
    exact,      // float64 throughout, the angle included
    rounded,    // frequencies in float64, rounded once to float32; float32 angles
    reduced,    // angles in float64, modulo 2π, rounded once to float32
    pow,        // base^(2i/d) in float32
    exp,        // exp(-2i/d·ln base) in float32
    iterative,  // ggml: θ ← θ·base^(-2/d) in float32, pair after pair
};

inline constexpr std::array arithmetics{Arithmetic::exact,   Arithmetic::rounded,
                                        Arithmetic::reduced, Arithmetic::pow,
                                        Arithmetic::exp,     Arithmetic::iterative};
inline constexpr Arithmetic least_exact = Arithmetic::iterative;
// Of any but the least exact: the next that moves angles ever further with the position.
constexpr Arithmetic next_less_exact(Arithmetic arithmetic) {
    if (arithmetic == Arithmetic::rounded) return Arithmetic::pow;
    return arithmetics[static_cast<std::size_t>(arithmetic) + 1];
}

std::string_view to_string(Arithmetic arithmetic);  // "pow"
std::string_view in_words(Arithmetic arithmetic);   // "like a float32 power"

// Whether positions are multiplied in float64, and so are exact beyond 2^24.
constexpr bool keeps_positions(Arithmetic arithmetic) {
    return arithmetic == Arithmetic::exact || arithmetic == Arithmetic::reduced;
}

// How far an angle is off at most, at any position; 2 is any distance.
double largest_angle_error(Arithmetic arithmetic);

// K of each pair: its angle is off by at most K·2^-24·mθ, below positions of 2^24. But for
// `reduced`, 0 where θ is base^0 by a power of two: nothing is rounded there.
std::vector<double> angle_k(Arithmetic arithmetic, const Spec& spec, const FrequencyPlan& plan);

}  // namespace rope
