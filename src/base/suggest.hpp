// Suggestions for a mistyped word.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace rope {

// Converts A–Z to a–z in every locale and keeps all other bytes.
std::string lower_case(std::string_view text);

// Letters and digits in lower case: Llama_3-8B becomes llama38b.
std::string squeezed(std::string_view word);
// The known words that contain the word, of two characters or more, if both are squeezed.
std::vector<std::string_view> those_with(std::string_view word,
                                         std::span<const std::string_view> known);

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

}  // namespace rope
