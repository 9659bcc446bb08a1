#include "io/text/number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace rope::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse(std::string_view field, std::string_view text, const std::string& want) {
    throw InputError(printable(field), ": '" + printable(text) + "' is not " + want);
}

// "010" and "-007.5", which some readers take as octal
bool has_leading_zero(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

constexpr std::string_view units = "KMGT";

// 32k is 32 · 1024 and 1M is 1024 · 1024, as in model names and in sizes of memory.
std::pair<std::string_view, std::uint64_t> without_unit(std::string_view text) {
    const char last = text.empty() ? ' ' : text.back() == 'k' ? 'K' : text.back();
    const std::size_t power = units.find(last);
    if (power == units.npos) return {text, 1};
    return {text.substr(0, text.size() - 1), std::uint64_t{1024} << 10 * power};
}

template <class... How>
std::string printed(double x, How... how) {
    std::array<char, 64> text;
    return {text.data(), std::to_chars(text.begin(), text.end(), x, how...).ptr};
}

}  // namespace

std::uint64_t parse_whole(std::string_view field, std::string_view text, std::uint64_t least,
                          std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [digits, unit] = without_unit(text);
    const char* const end = digits.data() + digits.size();
    const bool is_plain = std::ranges::all_of(digits, is_digit) && !has_leading_zero(digits);
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (!is_plain || error != std::errc{} || stop != end || value > most / unit ||
        value * unit < least)
        refuse(field, text,
               "a whole number from " + decimal(least) + " to " + decimal(most) +
                   (is_plain || text.empty() || !is_digit(text[0]) ? "" : ", such as 4096 or 4k"));
    return value * unit;
}

double parse_real(std::string_view field, std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::result_out_of_range && stop == end)
        refuse(field, text, "a number that a float64 can represent");
    if (has_leading_zero(text) || error != std::errc{} || stop != end || !std::isfinite(value))
        refuse(field, text, "a number such as 10000 or 1e6");
    return value;
}

std::vector<std::string> split_list(const std::string& text, char separator) {
    auto parts = mapped<std::string>(split(text, {&separator, 1}), std::identity{});
    if (text.empty() || text.back() == separator) parts.emplace_back();
    return parts;
}

std::string plain(double x) {
    // the shortest form of 500000 would be 5e+05
    constexpr double many_digits = 1e15;
    if (x == std::floor(x) && x > 0 && x < many_digits)
        return decimal(static_cast<std::uint64_t>(x));
    return decimal(x);
}

std::string significant(double x, int digits) {
    if (std::isnan(x)) return "nan";  // of either sign
    return printed(x, std::chars_format::general, digits);
}

std::string brief(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x) || x == 0) return decimal(x);
    const std::string scientific = printed(x, std::chars_format::scientific, 1);  // 3.9e-03
    const std::size_t e = scientific.find('e');
    int exponent = 0;
    std::from_chars(scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1),
                    scientific.data() + scientific.size(), exponent);
    if (exponent < -2 || exponent > 3)
        return scientific.substr(0, e + 1) + decimal(static_cast<double>(exponent));
    if (exponent == 3) return (x < 0 ? "-" : "") + position_text(std::round(std::abs(x)));
    return printed(x, std::chars_format::fixed, exponent < 1 ? 1 - exponent : 0);
}

std::string position_text(double position) {
    const bool is_whole = position >= 0 && position < 0x1p53 && position == std::floor(position);
    return is_whole ? grouped(static_cast<std::uint64_t>(position)) : decimal(position);
}

std::string hexfloat(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return decimal(x);
    return (std::signbit(x) ? "-0x" : "0x") + printed(std::abs(x), std::chars_format::hex);
}

std::string byte_count(std::uint64_t bytes) {
    if (bytes < 1024) return decimal(bytes) + " bytes";
    double size = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
    const double steps = size < 10 ? 10 : 1;
    return decimal(std::ceil(size * steps) / steps) + " " + units[unit] + "iB";
}

}  // namespace rope::io
