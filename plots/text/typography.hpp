// Numbers as a typesetter writes them: Unicode minus, thousands apart, superscripts and subscripts;
// no locale.
#pragma once

#include <string>

namespace rope::plots {

std::string superscript(long n);  // 2 + superscript(10) reads 2¹⁰
std::string subscript(long n);    // θ + subscript(0) reads θ₀

// x to this many decimals, −1,234.50; −0 is written 0, a value that is not finite is written –.
std::string fixed(double x, int decimals);

// x to this many significant digits, without trailing zeros: 10,000, 0.25, 7.67×10⁻⁴.
std::string significant(double x, int digits);

// numerator·π/denominator in lowest terms: 0, π/2, −3π/4, 2π. denominator > 0.
std::string pi_fraction(long numerator, long denominator);

}  // namespace rope::plots
