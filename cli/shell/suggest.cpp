#include "cli/shell/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/printable.hpp"

namespace rope::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // d[i][j] is the distance of a's first i characters from b's first j
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

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t longest =
        64;  // longer words get no suggestion, and the table stays small
    if (word.size() > longest) return {};
    std::size_t best_distance = 3;
    std::string_view best;
    for (const std::string_view candidate : known) {
        const std::size_t distance = edit_distance(word, candidate);
        // one edit makes '-o' of '-x': where half the word differs there is no hint
        if (distance < best_distance && 2 * distance < candidate.size()) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

namespace {

constexpr std::size_t most_named = 32;

std::vector<std::string_view> those_with(std::string_view word,
                                         std::span<const std::string_view> known) {
    std::vector<std::string_view> all;
    std::ranges::copy_if(known, std::back_inserter(all), [&](std::string_view one) {
        return word.size() > 1 && one.find(word) != one.npos;
    });
    return all;
}

std::string listed(std::span<const std::string_view> words) {
    const std::string some =
        fmt::format("{}", fmt::join(words.first(std::min(words.size(), most_named)), ", "));
    return words.size() <= most_named ? some : fmt::format("{}, … ({})", some, words.size());
}

}  // namespace

InputError unknown_word(std::string_view what, std::string_view word,
                        std::span<const std::string_view> known) {
    const std::string unknown = fmt::format("unknown {} '{}'", what, printable(word));
    const std::string_view meant = nearest(word, known);
    if (!meant.empty()) return InputError(fmt::format("{}; did you mean '{}'?", unknown, meant));
    const std::vector<std::string_view> alike = those_with(word, known);
    return InputError(alike.empty() ? fmt::format("{}; known: {}", unknown, listed(known))
                                    : fmt::format("{}; those with it: {}", unknown, listed(alike)));
}

}  // namespace rope::cli
