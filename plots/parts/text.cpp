#include "plots/parts/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/printable.hpp"
#include "base/utf8.hpp"

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

// "−26,952.34", "7.67×10⁻⁴"
std::string typeset(const std::string& number) {
    if (const auto e = number.find('e'); e != std::string::npos) {
        const std::string mantissa = typeset(number.substr(0, e));
        return (mantissa == "1" ? "" : mantissa + "×") + "10" +
               superscript(std::stol(number.substr(e + 1)));
    }
    const bool is_negative = number.front() == '-';
    std::string digits = number.substr(is_negative ? 1 : 0);
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    for (std::size_t i = whole; i > 3; i -= 3) digits.insert(i - 3, 1, ',');
    const bool is_zero = digits.find_first_of("123456789") == std::string::npos;
    return (is_negative && !is_zero ? "−" : "") + digits;
}

// Advance widths of U+0020 … U+007E in thousandths of an em: DejaVu Sans 2.37, hmtx.
using Ascii = std::array<std::uint16_t, 95>;
constexpr Ascii regular = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr Ascii bold = {348, 456, 521, 838, 696,  1002, 872, 306,  457, 457, 523, 838, 380, 415,
                        380, 365, 696, 696, 696,  696,  696, 696,  696, 696, 696, 696, 400, 400,
                        838, 838, 838, 580, 1000, 774,  762, 734,  830, 683, 683, 821, 837, 372,
                        372, 775, 637, 995, 837,  850,  733, 850,  770, 720, 682, 812, 774, 1103,
                        771, 724, 725, 457, 365,  457,  838, 500,  500, 675, 716, 593, 716, 678,
                        435, 716, 712, 343, 343,  665,  343, 1042, 712, 687, 716, 716, 493, 595,
                        478, 712, 652, 924, 645,  652,  582, 712,  365, 712, 838};

struct Others {
    std::u32string_view characters;
    std::uint16_t regular, bold;
};
constexpr Others others[] = {
    {U"⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", 401, 438},
    {U"−×÷≤≥→±", 838, 838},
    {U"⁻₋", 528, 528},
    {U"·’", 318, 380},
    {U"θα", 659, 687},
    {U"πβ", 638, 791},
    {U"ΣΔ√", 684, 774},
    {U"ᵢⱼ", 179, 219},
    {U"“”", 518, 657},
    {U"–°", 500, 500},
    {U"⌊⌋⟨⟩", 390, 457},
    {U"éẑ", 615, 678},
    {U"½", 969, 1035},
};

struct Range {
    char32_t first, last;
};

constexpr Range combining[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                               {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                               {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff},
                               {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};
constexpr Range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xa960, 0xa97c}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};

template <std::size_t count>
bool is_among(char32_t c, const Range (&ranges)[count]) {
    return std::ranges::any_of(ranges, [&](const Range& r) { return c >= r.first && c <= r.last; });
}

unsigned advance(char32_t c, Weight weight) {
    const auto cells = static_cast<unsigned>(cells_of(c));
    if (weight == Weight::cells) return 1000 * cells;
    if (c >= U' ' && c <= U'~') return (weight == Weight::bold ? bold : regular)[c - U' '];
    for (const Others& each : others)
        if (each.characters.find(c) != each.characters.npos)
            return weight == Weight::bold ? each.bold : each.regular;
    return cells == 0 ? 0 : 1000;
}

struct Glyph {
    std::string bytes;
    char32_t value;
    double width;
};

// The glyphs of the text as xml_escape shows it.
std::vector<Glyph> glyphs_of(std::string_view text, Font font) {
    const std::string shown = printable(text, text.size());
    std::vector<Glyph> glyphs;
    for (std::string_view left = shown; !left.empty();
         left.remove_prefix(glyphs.back().bytes.size())) {
        const auto [c, bytes] = first_code_point(left);
        glyphs.push_back(
            {std::string(left.substr(0, bytes)), c, font.size * 1e-3 * advance(c, font.weight)});
    }
    return glyphs;
}

double width_of(const std::vector<Glyph>& glyphs, std::size_t first, std::size_t last) {
    double width = 0;
    for (std::size_t i = first; i < last; ++i) width += glyphs[i].width;
    return width;
}

// The number of glyphs from `first` on that fit on a line.
std::size_t line_length(const std::vector<Glyph>& glyphs, std::size_t first, double width) {
    double used = 0;
    std::size_t after_dot = 0, after_space = 0, after_mark = 0;
    for (std::size_t i = first; i < glyphs.size(); ++i) {
        const char32_t c = glyphs[i].value;
        used += glyphs[i].width;
        if (used > width && c != U' ') {
            const std::size_t at = after_dot != 0     ? after_dot
                                   : after_space != 0 ? after_space
                                                      : after_mark;
            return at != 0 ? at : std::max<std::size_t>(i - first, 1);
        }
        // a word of one sign, as in "(scaled θ)", and a number stay with the word before them, and
        // a value with its "="
        const char32_t before = i > first ? glyphs[i - 1].value : U' ';
        const char32_t next = i + 1 < glyphs.size() ? glyphs[i + 1].value : U' ';
        const char32_t after = i + 2 < glyphs.size() ? glyphs[i + 2].value : U' ';
        const bool is_number = (next >= U'0' && next <= U'9') || next == U'−';
        if (c == U' ' &&
            ((before == U'·' && used > width / 4) || (before == U';' && used > width / 2)))
            after_dot = i + 1 - first;
        if (c == U' ' && before != U'=' && after != U' ' && after != U')' && after != U',' &&
            !is_number)
            after_space = i + 1 - first;
        if (c == U'-' || c == U'_' || c == U'/' || c == U',') after_mark = i + 1 - first;
    }
    return glyphs.size() - first;
}

std::string joined(const std::vector<Glyph>& glyphs, std::size_t first, std::size_t last) {
    const auto is_left_out = [&](std::size_t i) {  // at the end of a line
        return glyphs[i].value == U' ' || (glyphs[i].value == U'·' && i > first);
    };
    while (last > first && is_left_out(last - 1)) --last;
    std::string text;
    for (std::size_t i = first; i < last; ++i) text += glyphs[i].bytes;
    return text;
}

}  // namespace

std::string superscript(long n) { return shifted(n, raised, "⁻"); }
std::string subscript(long n) { return shifted(n, lowered, "₋"); }
std::string power_of_ten(long n) { return n == 0 ? "1" : "10" + superscript(n); }

std::string fixed(double x, int decimals) {
    return std::isfinite(x) ? typeset(fmt::format("{:.{}f}", x, decimals)) : "–";
}

std::string significant(double x, int digits) {
    return std::isfinite(x) ? typeset(fmt::format("{:.{}g}", x, digits)) : "–";
}

std::string with_typeset_numbers(std::string_view text) {
    std::string typeset_text;
    while (!text.empty()) {
        // a number ends before a space, a comma or a character that is not ASCII
        const auto is_end = [](char c) { return c <= ' ' || c > '~' || std::strchr(",;:()", c); };
        const auto length =
            static_cast<std::size_t>(std::ranges::find_if(text, is_end) - text.begin());
        const std::string word(text.substr(0, length));
        double number = 0;
        const auto read = std::from_chars(word.data(), word.data() + length, number);
        const bool is_number =
            length > 0 && read.ptr == word.data() + length && std::isfinite(number);
        typeset_text += is_number ? typeset(word) : word;
        typeset_text += text.substr(length, 1);
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return typeset_text;
}

std::string pi_fraction(long numerator, long denominator) {
    if (numerator == 0) return "0";
    const long common = std::gcd(numerator, denominator);
    const long n = std::abs(numerator) / common;
    const long d = denominator / common;
    std::string text = numerator < 0 ? "−" : "";
    if (n != 1) text += typeset(fmt::format("{}", n));
    text += "π";
    constexpr long most_written = 1L << 17;
    const auto whole = static_cast<std::uint64_t>(d);
    if (d > most_written && std::has_single_bit(whole))
        return text + "/2" + superscript(std::countr_zero(whole));
    return d == 1 ? text : text + "/" + typeset(fmt::format("{}", d));
}

std::size_t cells_of(char32_t c) { return is_among(c, combining) ? 0 : is_among(c, wide) ? 2 : 1; }

double text_width(std::string_view text, Font font) {
    const std::vector<Glyph> glyphs = glyphs_of(text, font);
    return width_of(glyphs, 0, glyphs.size());
}

std::vector<std::string> wrapped(std::string_view text, double width, Font font, std::size_t most) {
    const std::vector<Glyph> glyphs = glyphs_of(text, font);
    std::vector<std::string> lines;
    for (std::size_t first = 0; first < glyphs.size();) {
        if (lines.size() + 1 < most || width_of(glyphs, first, glyphs.size()) <= width) {
            const std::size_t length = line_length(glyphs, first, width);
            lines.push_back(joined(glyphs, first, first + length));
            first += length;
            continue;
        }
        const double room = width - text_width("…", font);
        std::size_t last = first;
        while (last < glyphs.size() && width_of(glyphs, first, last + 1) <= room) ++last;
        lines.push_back(joined(glyphs, first, last) + "…");
        break;
    }
    return lines;
}

std::vector<std::string> balanced(std::string_view text, double width, Font font) {
    constexpr std::size_t most = 8;  // titles are not cut, as their end may matter most
    std::vector<std::string> lines = wrapped(text, width, font, most);
    const std::size_t count = lines.size();
    if (count < 2 || lines.back().ends_with("…")) return lines;
    for (double narrower = width - font.size; narrower > width / 2; narrower -= font.size) {
        std::vector<std::string> shorter = wrapped(text, narrower, font, count + 1);
        if (shorter.size() > count) break;
        lines = std::move(shorter);
    }
    return lines;
}

std::string fitted(std::string_view text, double width, Font font) {
    const std::vector<Glyph> glyphs = glyphs_of(text, font);
    if (width_of(glyphs, 0, glyphs.size()) <= width) return printable(text, text.size());
    double left = width - text_width("…", font);
    std::size_t first = 0, last = glyphs.size();
    while (first < last) {  // alternately a glyph from the start and one from the end
        const bool from_start = first <= glyphs.size() - last;
        left -= glyphs[from_start ? first : last - 1].width;
        if (left < 0) break;
        if (from_start)
            ++first;
        else
            --last;
    }
    return joined(glyphs, 0, first) + "…" + joined(glyphs, last, glyphs.size());
}

}  // namespace rope::plots
