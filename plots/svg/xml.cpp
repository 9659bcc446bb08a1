#include "plots/svg/xml.hpp"

#include <algorithm>
#include <cstdint>

namespace rope::plots {
namespace {

constexpr char32_t not_a_character = 0xFFFFFFFF;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Takes the first character off a text that is not empty. RFC 3629: shortest form only.
char32_t take_character(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || text.size() < length ||
        !std::all_of(text.begin() + 1, text.begin() + static_cast<long>(length), is_continuation)) {
        text.remove_prefix(1);
        return not_a_character;
    }
    char32_t c = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        c = (c << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    const bool overlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
    text.remove_prefix(overlong ? 1 : length);
    return overlong ? not_a_character : c;
}

bool allowed_in_xml(char32_t c) {
    return (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE) ||
           (c >= 0x10000 && c <= 0x10FFFF);
}

}  // namespace

std::string xml_escape(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const std::string_view rest = text;
        const char32_t c = take_character(text);
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            case '\t':
            case '\n':
            case '\r':
                safe += ' ';
                break;
            default:
                safe += allowed_in_xml(c) ? rest.substr(0, rest.size() - text.size()) : "\uFFFD";
        }
    }
    return safe;
}

std::size_t code_points(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

}  // namespace rope::plots
