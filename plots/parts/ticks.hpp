// Where an axis is labelled, and how.
#pragma once

#include <vector>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// The multiples of 1, 2 or 5 times a power of ten in [first, last], at most this many (≥ 2).
std::vector<Tick> decimal_ticks(double first, double last, int at_most);

// 0, step, 2·step, … ≤ last, for whole steps.
std::vector<Tick> multiples(double step, double last);

// k·π/denominator for k = first … last: 0, π/2, π, 3π/2, 2π.
std::vector<Tick> pi_ticks(long first, long last, long denominator);

// Powers of two in [first, last], first > 0, at most this many (≥ 1): 2⁰, 2², 2⁴, …
std::vector<Tick> power_of_two_ticks(double first, double last, int at_most);

}  // namespace rope::plots
