#include "base/printable.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace rope {
namespace {

struct Range {
    char32_t first, last;
};

constexpr Range unsafe[] = {
    {0x0000, 0x001f},    // C0
    {0x007f, 0x009f},    // DEL, C1
    {0x00ad, 0x00ad},    // soft hyphen
    {0x061c, 0x061c},    // Arabic letter mark
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200f},    // zero width, left-to-right and right-to-left marks
    {0x2028, 0x202e},    // line and paragraph separators, bidirectional embeddings
    {0x2060, 0x206f},    // word joiner, bidirectional isolates, deprecated controls
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff0, 0xfffb},    // specials
    {0xfffe, 0xffff},    // noncharacters, which XML 1.0 cannot hold
    {0xe0000, 0xe0fff},  // tags
};

bool is_unsafe(char32_t c) {
    if (c >= 0x20 && c < 0x7f) return false;
    return std::ranges::any_of(unsafe, [c](const Range& r) { return c >= r.first && c <= r.last; });
}

std::string hex(std::uint32_t value, int digits) {
    std::string text;
    for (int i = 4 * (digits - 1); i >= 0; i -= 4) text += "0123456789abcdef"[value >> i & 15];
    return text;
}

std::string escaped(char32_t c) {
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    if (c < 0x80) return "\\x" + hex(c, 2);
    return c < 0x10000 ? "\\u" + hex(c, 4) : "\\U" + hex(c, 8);
}

// RFC 8259 §7: a character above U+FFFF is written as a surrogate pair.
std::string json_escaped(char32_t c) {
    if (c < 0x10000) return "\\u" + hex(c, 4);
    const std::uint32_t above = c - 0x10000;
    return "\\u" + hex(0xd800 + (above >> 10), 4) + "\\u" + hex(0xdc00 + (above & 0x3ff), 4);
}

}  // namespace

std::string printable(std::string_view foreign, std::size_t longest) {
    std::string text;
    for (std::size_t characters = 0; !foreign.empty(); ++characters) {
        if (characters == longest) return text + "…";
        const auto [c, bytes] = first_code_point(foreign);
        const bool is_valid = bytes != 0 && is_scalar_value(c);
        if (!is_valid)
            text += "\\x" + hex(static_cast<unsigned char>(foreign[0]), 2);
        else if (is_unsafe(c))
            text += escaped(c);
        else
            text += foreign.substr(0, bytes);
        foreign.remove_prefix(is_valid ? bytes : 1);
    }
    return text;
}

std::string printable_json(std::string_view json) {
    std::string text;
    while (!json.empty()) {
        const auto [c, bytes] = first_code_point(json);
        const std::size_t length = std::max<std::size_t>(bytes, 1);
        if (bytes != 0 && c >= 0x20 && is_unsafe(c))
            text += json_escaped(c);
        else
            text += json.substr(0, length);
        json.remove_prefix(length);
    }
    return text;
}

std::string xml_escape(std::string_view foreign, std::string_view quotes) {
    constexpr std::string_view entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    constexpr std::string_view signs = "&<>\"'";
    std::string text;
    for (const char c : printable(foreign, foreign.size())) {
        const std::size_t sign = signs.find(c);
        const bool is_special = sign < 3 || quotes.find(c) != quotes.npos;
        text += is_special ? entities[sign] : std::string_view(&c, 1);
    }
    return text;
}

std::string csv_cell(std::string_view foreign) {
    // a spreadsheet skips tabs and line ends before a formula; printable() escapes them
    const std::string shown = printable(foreign, foreign.size());
    std::string quoted = "\"";
    if (!shown.empty() && std::string_view("=+-@").find(shown.front()) != std::string_view::npos)
        quoted += '\'';
    for (const char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

}  // namespace rope
