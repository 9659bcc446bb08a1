#pragma once

// Numbers that were printed with few digits and read again, as the constants of tests.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "rope/exact/element.hpp"

namespace rope {

// How numbers were printed: a number of decimals or of significant digits.
struct PrintedDigits {
    int digits = 0;
    bool is_significant = false;
    double largest = 0;  // absolute value

    // Half a unit of the last digit: the largest rounding error.
    double half_unit(double value) const;
    // "4 decimals", "5 significant digits"
    std::string words() const;
};

constexpr std::size_t most_printed = 1 << 22;  // values in which digits are looked for

// Returns the digits, 3 to 8, if every number of the arrays [rows, columns] is a short decimal
// rounded to `format`, with a probability of at most 2^-40 that this is chance. Returns nothing if
// a number is not finite. Reads no further than the first number that is no short decimal.
std::optional<PrintedDigits> printed_digits(std::initializer_list<const StridedRows*> arrays,
                                            std::size_t rows, std::uint64_t columns, Format format);

// Returns half a unit of the last digit of the largest number; 0 if the numbers were not printed,
// or are more than most_printed.
double printed_error(std::initializer_list<const StridedRows*> arrays, std::size_t rows,
                     std::uint64_t columns, Format format);

}  // namespace rope
