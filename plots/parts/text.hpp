// Numbers and words of a figure, and how wide they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rope::plots {

// Numbers as a typesetter writes them: Unicode minus, thousands apart, superscripts and subscripts;
// no locale.

std::string superscript(long n);  // 2 + superscript(10) reads 2¹⁰
std::string subscript(long n);    // θ + subscript(0) reads θ₀

// x to this many decimals, −1,234.50; −0 is written 0, a value that is not finite is written –.
std::string fixed(double x, int decimals);

// x to this many significant digits, without trailing zeros: 10,000, 0.25, 7.67×10⁻⁴.
std::string significant(double x, int digits);

// numerator·π/denominator in lowest terms: 0, π/2, −3π/4, 2π. denominator > 0.
std::string pi_fraction(long numerator, long denominator);

// How wide words are, and where they break. In DejaVu Sans, which the figures ask for first: what
// replaces it is as wide (Verdana) or narrower (Arial).

enum class Weight { regular, bold };

struct Font {
    double size;  // pixels
    Weight weight = Weight::regular;
};

// In pixels, of the text as xml_escape shows it. A character of no known width counts as one em.
double text_width(std::string_view text, Font font);

// Lines no wider than that: broken after a space that no word of one sign follows, else after one
// of - _ / , else anywhere. What
// does not fit in `most` lines ends with "…".
std::vector<std::string> wrapped(std::string_view text, double width, Font font,
                                 std::size_t most = 4);

// As few lines as it takes, at most 8, about as long as each other: no word is left alone in the
// last.
std::vector<std::string> balanced(std::string_view text, double width, Font font);

// One line no wider than that; "…" replaces the middle of what does not fit, since names differ at
// their ends.
std::string fitted(std::string_view text, double width, Font font);

}  // namespace rope::plots
