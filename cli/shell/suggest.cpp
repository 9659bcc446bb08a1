#include "cli/shell/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
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

namespace {

// The one that begins with the word, of at least two characters behind its dashes.
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

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t longest =
        64;  // longer words get no suggestion, and the table stays small
    if (word.size() > longest) return {};
    std::size_t best_distance = 3;
    std::string_view best = only_continuation(word, known);
    if (!best.empty()) return best;
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

// Names that other tools give to these options.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"--theta", "--base"},
    {"--freq-base", "--base"},
    {"--rope-base", "--base"},
    {"--d", "--dim"},
    {"-d", "--dim"},
    {"--head-size", "--dim"},
    {"--hidden-size", "--dim"},
    {"--seq-len", "--context"},
    {"--seqlen", "--context"},
    {"--n-ctx", "--context"},
    {"-c", "--context"},
    {"--max-length", "--context"},
    {"--max-len", "--context"},
    {"--length", "--context"},
    {"--positions", "--context"},
    {"--dtype", "--pipeline"},
    {"--precision", "--pipeline"},
    {"--backend", "--pipeline"},
    {"--ctx", "--context"},
    {"--max-seq-len", "--context"},
    {"--max-position-embeddings", "--max-position"},
    {"--rope-scaling", "--rope"},
    {"--rope-parameters", "--rope"},
    {"--scaling", "--rope"},
    {"--html", "--output"},
    {"--plot", "--output"},
    {"-p", "--pipeline"},
    {"--tol", "--max-error"},
    {"--library", "--reading"},
    {"--function", "--python"},
    {"--tolerance", "--max-error"},
    {"--atol", "--max-error"},
    {"--style", "--layout"},
    {"--interleaved", "--layout"},
    {"--neox", "--layout"},
    {"--markdown", "--format"},
    {"--csv", "--output"},
    {"--svg", "--output"},
    {"--out", "--output"},
    {"-f", "--format"},
    {"-m", "--model"}};

}  // namespace

std::string_view meant_option(std::string_view word, std::span<const std::string_view> known) {
    std::string dashed(word);
    std::ranges::replace(dashed, '_', '-');
    for (const auto& [other, ours] : other_names)
        if (other == dashed && std::ranges::count(known, ours) > 0) return ours;
    return nearest(word, known);
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

}  // namespace

std::string listed(std::span<const std::string_view> words) {
    const std::string some =
        fmt::format("{}", fmt::join(words.first(std::min(words.size(), most_named)), ", "));
    return words.size() <= most_named ? some : fmt::format("{}, … ({})", some, words.size());
}

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
