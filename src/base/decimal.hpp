// Numbers as text, the same in every locale.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rope {

// Returns the shortest decimal that reads back as the same number. An exponent appears only below
// 1e-4, and from 1e9 on if the text is shorter with it.
inline std::string decimal(double x) {
    char text[40];
    const double size = x < 0 ? -x : x;
    if (size >= 1e9) return {text, std::to_chars(text, text + sizeof text, x).ptr};  // the shorter
    const auto format =
        size == 0 || size >= 1e-4 ? std::chars_format::fixed : std::chars_format::general;
    return {text, std::to_chars(text, text + sizeof text, x, format).ptr};
}

// 1.24 of 1.2352 and 3 digits
inline double rounded_to_digits(double x, int digits) {
    char text[32];
    const auto written =
        std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, digits - 1);
    double rounded = x;
    std::from_chars(text, written.ptr, rounded);
    return rounded;
}

template <std::integral Integer>
std::string decimal(Integer x) {
    char text[24];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

// 17179869184 -> "17,179,869,184"
inline std::string grouped(std::uint64_t n) {
    std::string digits = decimal(n);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
    return digits;
}

}  // namespace rope
