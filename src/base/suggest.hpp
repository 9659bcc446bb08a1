// Suggestions for a mistyped word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace rope {

// Converts A–Z to a–z in every locale and keeps all other bytes.
std::string lower_case(std::string_view text);

// Returns "a, b, c". Only the first 32 words of a longer list are shown.
std::string listed(std::span<const std::string_view> words);

// Returns the optimal string alignment distance (Damerau-Levenshtein): the number of insertions,
// deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the nearest known word, ignoring case, at most 2 edits and less than half of its length
// away, or an empty word.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// Returns one of these messages:
// unknown check 'orthogonalty'; did you mean 'orthogonality'?
// unknown model 'mistral'; with it in the name: mistral-7b, mistral-nemo
// unknown format 'pdf'; known: auto, text, json
InputError unknown_word(std::string_view what, std::string_view word,
                        std::span<const std::string_view> known);

// Returns the item with that name. Throws unknown_word(), about the option, if there is none.
template <class List, class NameOf>
const auto& item_named(std::string_view word, const List& list, const NameOf& name_of,
                       std::string_view what, const std::string& option = {}) {
    const auto found = std::ranges::find(list, word, name_of);
    if (found != std::ranges::end(list)) return *found;
    std::vector<std::string_view> known;
    for (const auto& item : list) known.push_back(std::invoke(name_of, item));
    throw unknown_word(what, word, known).about(option);
}

}  // namespace rope
