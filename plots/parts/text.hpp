// Text of figures: typeset numbers, widths and line breaks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::plots {

// Numbers as typeset, without locale: Unicode minus, thousands separators, superscripts.

std::string superscript(long n);   // 2 + superscript(10) reads 2¹⁰
std::string subscript(long n);     // θ + subscript(0) reads θ₀
std::string power_of_ten(long n);  // 10⁻³; 1 if n is 0

// Returns x with this many decimals: −1,234.50; −0 as 0, a value that is not finite as –.
std::string fixed(double x, int decimals);

// Returns x with this many significant digits, no trailing zeros: 10,000, 0.25, 7.67×10⁻⁴.
std::string significant(double x, int digits);

// Returns the text with its numbers typeset: "10000 instead of 2e+05" as "10,000 instead of 2×10⁵".
std::string with_typeset_numbers(std::string_view text);

// Returns numerator·π/denominator in lowest terms: 0, π/2, −3π/4, 2π, π/2³⁰. Requires denominator >
// 0.
std::string pi_fraction(long numerator, long denominator);

// Widths are those of DejaVu Sans, the first font of the figures; its substitutes are as wide
// (Verdana) or narrower (Arial). Those of terminal_font are cells of a terminal.

enum class Weight { regular, bold, cells };

struct Font {
    double size;  // pixels
    Weight weight = Weight::regular;
};
inline constexpr Font terminal_font{1, Weight::cells};

// Returns the width in cells: 0 for a combining mark, 2 for a wide character (Unicode UAX #11).
std::size_t cells_of(char32_t c);
inline constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

// Returns the width in pixels of the text as shown by xml_escape. An unknown character is one em
// wide.
double text_width(std::string_view text, Font font);

// Returns lines of at most this width, broken after "· " or "; ", else after a space (not before a
// word of one sign), else after one of - _ / , else anywhere. Text beyond `most` lines is replaced
// by "…".
std::vector<std::string> wrapped(std::string_view text, double width, Font font,
                                 std::size_t most = 4);

// Returns as few lines as possible, at most 8, of similar length: the last has more than one word.
std::vector<std::string> balanced(std::string_view text, double width, Font font);

// Returns one line of at most this width; "…" replaces its middle, since names differ at their
// ends.
std::string fitted(std::string_view text, double width, Font font);

}  // namespace rope::plots
