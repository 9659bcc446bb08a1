#include "plots/terminal/words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.hpp"

namespace rope::plots {
namespace {

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

struct Spelling {
    char32_t c;
    std::string_view text;
};

constexpr Spelling spellings[] = {
    {U'θ', "theta"}, {U'λ', "lambda"}, {U'φ', "phi"}, {U'π', "pi"}, {U'Σ', "sum"}, {U'√', "sqrt"},
    {U'−', "-"},     {U'–', "-"},      {U'—', "-"},   {U'·', "*"},  {U'×', "x"},   {U'÷', "/"},
    {U'≤', "<="},    {U'≥', ">="},     {U'≠', "!="},  {U'≈', "~"},  {U'∞', "inf"}, {U'…', "..."},
    {U'⟨', "<"},     {U'⟩', ">"},      {U'‖', "||"},  {U'’', "'"},  {U'‘', "'"},   {U'“', "\""},
    {U'”', "\""},    {U'§', "sec. "},  {U'ẑ', "z"},   {U'½', "1/2"}};

constexpr std::u32string_view raised = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀ", lowered = U"₀₁₂₃₄₅₆₇₈₉₋ᵢⱼ";
constexpr std::string_view raised_as = "0123456789-T", lowered_as = "0123456789-ij";

// Calls take(character, bytes) for each character of well-formed UTF-8.
template <class Take>
void each_character(std::string_view utf8, const Take& take) {
    while (!utf8.empty()) {
        const auto [c, bytes] = first_code_point(utf8);
        const std::size_t length = std::max<std::size_t>(bytes, 1);
        take(bytes == 0 ? U'?' : c, utf8.substr(0, length));
        utf8.remove_prefix(length);
    }
}

std::string_view spelling_of(char32_t c) {
    const auto* found = std::ranges::find(spellings, c, &Spelling::c);
    return found == std::end(spellings) ? "?" : found->text;
}

}  // namespace

std::size_t cells_of(char32_t c) { return is_among(c, combining) ? 0 : is_among(c, wide) ? 2 : 1; }

std::size_t cells_of(std::string_view utf8) {
    std::size_t cells = 0;
    each_character(utf8, [&](char32_t c, std::string_view) { cells += cells_of(c); });
    return cells;
}

std::string ascii(std::string_view utf8) {
    std::string text;
    const char* shift = nullptr;  // one ^ or _ for a run of raised or lowered characters
    each_character(utf8, [&](char32_t c, std::string_view bytes) {
        const auto up = raised.find(c), down = lowered.find(c);
        const char* now = up != raised.npos ? "^" : down != lowered.npos ? "_" : nullptr;
        if (now != nullptr) {
            if (shift != now) text += now;
            text += up != raised.npos ? raised_as[up] : lowered_as[down];
        } else if (c < 0x80) {
            text += bytes;
        } else if (cells_of(c) != 0) {
            const std::string_view spelling = spelling_of(c);
            const auto is_letter = [](char one) { return one >= 'a' && one <= 'z'; };
            if (!text.empty() && is_letter(text.back()) && is_letter(spelling.front())) text += '*';
            text += spelling;
        }
        shift = now;
    });
    return text;
}

std::vector<std::string> wrapped_to_cells(std::string_view utf8, std::size_t cells) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t used = 0, space = 0;  // the last place, in bytes, where the line may break
    each_character(utf8, [&](char32_t c, std::string_view bytes) {
        const std::size_t more = cells_of(c);
        if (used + more > cells && !line.empty()) {
            std::string rest = c == U' ' || space == 0 ? "" : line.substr(space);
            if (space != 0 && c != U' ') line.resize(space);
            while (line.ends_with(' ')) line.pop_back();
            lines.push_back(std::exchange(line, std::move(rest)));
            used = cells_of(line);
            space = 0;
        }
        if (c == U' ' && line.empty()) return;
        line += bytes;
        used += more;
        if (c == U' ') space = line.size();
    });
    if (!line.empty()) lines.push_back(std::move(line));
    return lines;
}

std::string cut_to_cells(std::string_view utf8, std::size_t cells, std::string_view dots) {
    if (cells_of(utf8) <= cells) return std::string(utf8);
    const std::size_t room = cells - std::min(cells, cells_of(dots));
    std::string text;
    std::size_t used = 0;
    bool is_full = false;
    each_character(utf8, [&](char32_t c, std::string_view bytes) {
        is_full = is_full || used + cells_of(c) > room;
        if (is_full) return;
        text += bytes;
        used += cells_of(c);
    });
    return text.append(dots.substr(0, cells));
}

}  // namespace rope::plots
