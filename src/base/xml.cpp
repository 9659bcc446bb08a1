#include "base/xml.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace rope {
namespace {

bool allowed_in_xml(char32_t c) {
    return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c != 0xfffe && c != 0xffff);
}

std::string_view entity(char32_t c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        default:
            return "&#39;";
    }
}

}  // namespace

std::string xml_escape(std::string_view text, std::string_view quotes) {
    std::string safe;
    while (!text.empty()) {
        const auto [c, bytes] = first_code_point(text);
        const std::size_t length = std::max<std::size_t>(bytes, 1);
        const char lead = text[0];
        if (c == '&' || c == '<' || c == '>' || quotes.find(lead) != quotes.npos)
            safe += entity(c);
        else if (c == '\t' || c == '\n' || c == '\r')
            safe += ' ';
        else
            safe += bytes != 0 && is_scalar_value(c) && allowed_in_xml(c) ? text.substr(0, length)
                                                                          : "\uFFFD";
        text.remove_prefix(length);
    }
    return safe;
}

}  // namespace rope
