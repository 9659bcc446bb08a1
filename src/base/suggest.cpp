#include "base/suggest.hpp"

#include <iterator>

#include "base/text.hpp"

namespace rope {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // d[i][j] = distance between the first i characters of a and the first j of b
    std::vector d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t differ = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + differ});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

namespace {

// Returns the only known word that begins with `word`, which needs two characters after dashes.
std::string_view only_continuation(std::string_view word, std::span<const std::string_view> known) {
    if (word.size() < word.find_first_not_of('-') + 2 || word.size() < 2) return {};
    std::string_view found;
    for (const std::string_view candidate : known) {
        if (!candidate.starts_with(word)) continue;
        if (!found.empty()) return {};
        found = candidate;
    }
    return found;
}

constexpr std::size_t most_named = 32;

}  // namespace

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::string squeezed(std::string_view word) {
    std::string text = lower_case(word);
    std::erase_if(text, [](char c) { return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'); });
    return text;
}

std::vector<std::string_view> those_with(std::string_view word,
                                         std::span<const std::string_view> known) {
    std::vector<std::string_view> all;
    std::ranges::copy_if(known, std::back_inserter(all), [text = squeezed(word)](auto one) {
        return text.size() > 1 && squeezed(one).find(text) != text.npos;
    });
    return all;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t longest = 64;  // a longer word gets no suggestion, which bounds the table
    if (word.size() > longest) return {};
    std::string_view best = only_continuation(word, known);
    if (!best.empty()) return best;
    const std::string typed = lower_case(word);
    std::size_t best_distance = 3;
    for (const std::string_view candidate : known) {
        const std::size_t distance = edit_distance(typed, lower_case(candidate));
        // One edit turns '-x' into '-o': no suggestion if half of the word differs.
        if (distance < best_distance && 2 * distance < candidate.size()) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string listed(std::span<const std::string_view> words) {
    const std::string some = join(words.first(std::min(words.size(), most_named)));
    return words.size() <= most_named ? some : some + ", … (" + decimal(words.size()) + ")";
}

InputError unknown_word(std::string_view what, std::string_view word,
                        std::span<const std::string_view> known) {
    const std::string unknown = "unknown " + std::string(what) + " '" + printable(word) + "'; ";
    const std::vector<std::string_view> alike = those_with(word, known);
    const bool is_prefix = word.size() > 4 && std::ranges::count_if(known, [&](auto one) {
                                                  return one.starts_with(word);
                                              }) > 1;
    const std::string_view meant = nearest(word, known);
    if (!meant.empty() && !is_prefix)
        return InputError(unknown + "did you mean '" + std::string(meant) + "'?");
    return InputError(unknown + (alike.empty() ? "known: " + listed(known)
                                               : "with it in the name: " + listed(alike)));
}

}  // namespace rope
