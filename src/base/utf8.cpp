#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace rope {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80; }

}  // namespace

CodePoint first_code_point(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {0, 0};
    char32_t value = lead & (0x7fu >> length);
    for (const char c : text.substr(1, length - 1)) {
        if (!is_continuation(c)) return {0, 0};
        value = value << 6 | (static_cast<unsigned char>(c) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length]) return {0, 0};
    return {value, length};
}

bool is_scalar_value(char32_t c) { return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff); }

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto [c, bytes] = first_code_point(text);
        if (bytes == 0 || !is_scalar_value(c)) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::size_t code_points(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

}  // namespace rope
