#include "io/text/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/decimal.hpp"

namespace rope::io {

std::string plain(double x) {
    // the shortest form of 500000 would be 5e+05
    constexpr double many_digits = 1e15;
    if (x == std::floor(x) && x > 0 && x < many_digits)
        return decimal(static_cast<std::uint64_t>(x));
    return decimal(x);
}

std::string significant(double x, int digits) {
    if (std::isnan(x)) return "nan";  // of either sign
    std::array<char, 64> text;
    const auto end =
        std::to_chars(text.begin(), text.end(), x, std::chars_format::general, digits).ptr;
    return {text.begin(), end};
}

std::string brief(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x) || x == 0) return decimal(x);
    std::array<char, 64> text;
    const auto end =
        std::to_chars(text.begin(), text.end(), x, std::chars_format::scientific, 1).ptr;
    std::string scientific(text.begin(), end);  // 3.9e-03
    const std::size_t e = scientific.find('e');
    int exponent = 0;
    std::from_chars(scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1),
                    scientific.data() + scientific.size(), exponent);
    if (exponent < -2 || exponent > 3)
        return scientific.substr(0, e + 1) + decimal(static_cast<double>(exponent));
    const int decimals = exponent < 1 ? 1 - exponent : 0;
    const auto stop =
        std::to_chars(text.begin(), text.end(), x, std::chars_format::fixed, decimals).ptr;
    return {text.begin(), stop};
}

std::string hexfloat(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return decimal(x);
    std::array<char, 64> text;
    const auto end =
        std::to_chars(text.begin(), text.end(), std::abs(x), std::chars_format::hex).ptr;
    return (std::signbit(x) ? "-0x" : "0x") + std::string(text.begin(), end);
}

}  // namespace rope::io
