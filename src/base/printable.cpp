#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rope {
namespace {

struct CodePoint {
    char32_t value;
    std::size_t bytes;  // 0: not UTF-8
};

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint first_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {0, 0};
    char32_t value = lead & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80) return {0, 0};
        value = value << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < least[length] || surrogate || value > 0x10ffff) return {0, 0};
    return {value, length};
}

struct Range {
    char32_t first, last;
};

constexpr std::array unsafe{
    Range{0x0000, 0x001f},    // C0
    Range{0x007f, 0x009f},    // DEL, C1
    Range{0x00ad, 0x00ad},    // soft hyphen
    Range{0x061c, 0x061c},    // Arabic letter mark
    Range{0x180e, 0x180e},    // Mongolian vowel separator
    Range{0x200b, 0x200f},    // zero width, left-to-right and right-to-left marks
    Range{0x2028, 0x202e},    // line and paragraph separators, bidirectional embeddings
    Range{0x2060, 0x206f},    // word joiner, bidirectional isolates, deprecated controls
    Range{0xfeff, 0xfeff},    // byte order mark
    Range{0xfff0, 0xfffb},    // specials
    Range{0xfffe, 0xffff},    // noncharacters, which XML 1.0 cannot hold
    Range{0xe0000, 0xe0fff},  // tags
};

bool is_unsafe(char32_t c) {
    return std::any_of(unsafe.begin(), unsafe.end(),
                       [c](const Range& r) { return c >= r.first && c <= r.last; });
}

std::string hex(std::uint32_t value, int digits) {
    std::string text;
    for (int i = 4 * (digits - 1); i >= 0; i -= 4) text += "0123456789abcdef"[value >> i & 15];
    return text;
}

std::string escaped(char32_t c) {
    switch (c) {
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        default:
            break;
    }
    if (c < 0x80) return "\\x" + hex(c, 2);
    return c < 0x10000 ? "\\u" + hex(c, 4) : "\\U" + hex(c, 8);
}

}  // namespace

std::string printable(std::string_view foreign, std::size_t longest) {
    std::string text;
    for (std::size_t characters = 0; !foreign.empty(); ++characters) {
        if (characters == longest) return text + "…";
        const auto [c, bytes] = first_code_point(foreign);
        if (bytes == 0)
            text += "\\x" + hex(static_cast<unsigned char>(foreign[0]), 2);
        else if (is_unsafe(c))
            text += escaped(c);
        else
            text += foreign.substr(0, bytes);
        foreign.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return text;
}

}  // namespace rope
