#include "io/text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"

namespace rope::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse(std::string_view field, std::string_view text, const std::string& want) {
    throw InputError(printable(field), ": '" + printable(text) + "' is not " + want);
}

// "010" and "-007.5": octal to some readers, decimal to others
bool has_leading_zero(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

}  // namespace

std::uint64_t parse_whole(std::string_view field, std::string_view text, std::uint64_t least,
                          std::uint64_t most) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const bool plain = std::all_of(text.begin(), text.end(), is_digit) && !has_leading_zero(text);
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (!plain || error != std::errc{} || stop != end || value < least || value > most)
        refuse(field, text, "a whole number from " + decimal(least) + " to " + decimal(most));
    return value;
}

double parse_real(std::string_view field, std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (has_leading_zero(text) || error != std::errc{} || stop != end || !std::isfinite(value))
        refuse(field, text, "a number such as 10000, 1e6 or 0.25");
    return value;
}

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

}  // namespace rope::io
