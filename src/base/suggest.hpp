// The nearest word to a mistyped one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace rope {

// A to Z as a to z, in every locale; other bytes stay.
std::string lower_case(std::string_view text);

// "a, b, c", shortened where there are many.
std::string listed(std::span<const std::string_view> words);

// Damerau-Levenshtein (optimal string alignment): insertions, deletions, substitutions and
// swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of the known words in any case, at most 2 edits and less than half of it away; empty
// if none is.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// unknown check 'orthogonalty'; did you mean 'orthogonality'?
// unknown model 'mistral'; those with it: mistral-7b, mistral-nemo
// unknown format 'pdf'; known: auto, text, json, the first 32 of longer lists
InputError unknown_word(std::string_view what, std::string_view word,
                        std::span<const std::string_view> known);

}  // namespace rope
