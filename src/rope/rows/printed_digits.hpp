#pragma once

// Numbers that were printed with few digits and read again, as the constants of tests.

#include <optional>
#include <string>
#include <vector>

#include "rope/exact/format.hpp"

namespace rope {

// How numbers were printed: a number of decimals or of significant digits.
struct PrintedDigits {
    int digits = 0;
    bool is_significant = false;

    // Half a unit of the last digit: the largest rounding error.
    double half_unit(double value) const;
    // "4 decimals", "5 significant digits"
    std::string words() const;
};

// Returns the digits, 3 to 8, if every number is a short decimal rounded to `format`, with a
// probability of at most 2^-40 that this is chance. Returns nothing if a number is not finite.
std::optional<PrintedDigits> printed_digits(const std::vector<double>& values, Format format);

}  // namespace rope
