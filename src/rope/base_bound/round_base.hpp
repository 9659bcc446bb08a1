// The bases that a person writes down: those of few significant decimal digits.
#pragma once

#include <cstdint>
#include <optional>

#include "rope/cosine_sum/cosine_sum.hpp"

namespace rope {

// The least number of so many significant decimal digits at or above x ≥ 1.
double round_up_to_digits(double x, int digits);

// The least base of so many digits in [from, to) that holds to the context.
std::optional<double> first_of_digits(PairCounts pairs, std::uint64_t context, double from,
                                      double to, int digits);

}  // namespace rope
