#include "plots/text/typography.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

namespace rope::plots {
namespace {

using Digits = std::array<std::string_view, 10>;
constexpr Digits raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
constexpr Digits lowered = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};

std::string shifted(long n, const Digits& digits, std::string_view minus) {
    std::string text;
    for (const char c : fmt::format("{}", n)) {
        text += c == '-' ? minus : digits[static_cast<std::size_t>(c - '0')];
    }
    return text;
}

// −26,952.34
std::string typeset(const std::string& number) {
    const bool is_negative = number.front() == '-';
    std::string digits = number.substr(is_negative ? 1 : 0);
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    for (std::size_t i = whole; i > 3; i -= 3) digits.insert(i - 3, 1, ',');
    const bool is_zero = digits.find_first_of("123456789") == std::string::npos;
    return (is_negative && !is_zero ? "−" : "") + digits;
}

}  // namespace

std::string superscript(long n) { return shifted(n, raised, "⁻"); }
std::string subscript(long n) { return shifted(n, lowered, "₋"); }

std::string fixed(double x, int decimals) {
    return std::isfinite(x) ? typeset(fmt::format("{:.{}f}", x, decimals)) : "–";
}

std::string significant(double x, int digits) {
    if (!std::isfinite(x)) return "–";
    const std::string text = fmt::format("{:.{}g}", x, digits);
    const auto e = text.find('e');
    if (e == std::string::npos) return typeset(text);
    return typeset(text.substr(0, e)) + "×10" + superscript(std::stol(text.substr(e + 1)));
}

std::string pi_fraction(long numerator, long denominator) {
    if (numerator == 0) return "0";
    const long common = std::gcd(numerator, denominator);
    const long n = std::abs(numerator) / common;
    const long d = denominator / common;
    std::string text = numerator < 0 ? "−" : "";
    if (n != 1) text += typeset(fmt::format("{}", n));
    text += "π";
    if (d != 1) text += "/" + typeset(fmt::format("{}", d));
    return text;
}

}  // namespace rope::plots
