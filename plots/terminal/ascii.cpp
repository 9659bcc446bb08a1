// The ASCII spelling of a figure's text.
#include <algorithm>
#include <iterator>

#include "base/utf8.hpp"
#include "plots/parts/text.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::plots {
namespace {

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

}  // namespace

std::string ascii(std::string_view utf8) {
    std::string text;
    const char* shift = nullptr;  // one ^ or _ for a run of raised or lowered characters
    while (!utf8.empty()) {
        const auto [c, bytes] = first_code_point(utf8);
        const auto up = raised.find(c), down = lowered.find(c);
        const char* now = up != raised.npos ? "^" : down != lowered.npos ? "_" : nullptr;
        if (now != nullptr) {
            if (shift != now) text += now;
            text += up != raised.npos ? raised_as[up] : lowered_as[down];
        } else if (c < 0x80) {
            text += static_cast<char>(c);
        } else if (cells_of(c) != 0) {
            const auto* found = std::ranges::find(spellings, c, &Spelling::c);
            const std::string_view spelling = found == std::end(spellings) ? "?" : found->text;
            const auto is_letter = [](char one) { return one >= 'a' && one <= 'z'; };
            if (!text.empty() && is_letter(text.back()) && is_letter(spelling.front())) text += '*';
            text += spelling;
        }
        shift = now;
        utf8.remove_prefix(bytes);
    }
    return text;
}

}  // namespace rope::plots
