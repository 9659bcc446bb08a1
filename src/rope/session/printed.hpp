// Dumps of printed constants with 4 to 8 digits, as in the tests of implementations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/report/report.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// How numbers were printed: a number of decimals or of significant digits.
struct PrintedDigits {
    int digits = 0;
    bool is_significant = false;

    double half_unit(double value) const;  // of the last digit: the largest rounding error
    std::string words() const;             // "4 decimals", "5 significant digits"
};

// Returns the digits if every number is a short decimal rounded to `format`, with a probability of
// at most 2^-40 that this is chance. Returns nothing if a number is not finite.
std::optional<PrintedDigits> printed_digits(const std::vector<double>& values, Format format);

// Returns the table-accuracy of a dump of printed numbers. The tolerance is half a unit of the last
// digit, plus the effects of printed inputs and of float32 angles. Returns nothing if the numbers
// are not printed, positions are not integers on one axis, or most values are off by more than two
// units, which printing does not explain.
std::optional<Report> judge_printed(const Spec& spec, const Dump& dump);

}  // namespace rope
