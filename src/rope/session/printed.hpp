// Dumps of printed constants: numbers of 4 to 8 digits, as tests of implementations hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/report/report.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// How numbers were printed: to so many decimals, or to so many significant digits.
struct PrintedDigits {
    int digits = 0;
    bool is_significant = false;

    double half_unit(double value) const;  // of the last digit, which printing moves it by
    std::string words() const;             // "4 decimals", "5 significant digits"
};

// Where every number, rounded to `format`, is its own decimal of so few digits that chance explains
// it in one of 2^40 cases at most. Nothing where one is not finite.
std::optional<PrintedDigits> printed_digits(const std::vector<double>& values, Format format);

// The table-accuracy of a dump of printed numbers, each within half a unit of its last digit (and
// what that of printed inputs, and float32 angles, make of it). Nothing where its numbers are not
// printed, where positions are not whole or on several axes, or where most are off by more
// than two units, which printing does not explain.
std::optional<Report> judge_printed(const Spec& spec, const Dump& dump);

}  // namespace rope
