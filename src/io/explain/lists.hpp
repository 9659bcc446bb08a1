// What `list` prints: the names that options take, and what each stands for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/text/document.hpp"

namespace rope::io {

struct List {
    std::string_view name, meaning;
    // Only "models" takes words: of each model's name, layers, layout or rope_type every word is a
    // part. Throws InputError, naming the words, where there is none.
    Document (*document)(std::span<const std::string> words, bool verbose);
};

std::span<const List> lists();

}  // namespace rope::io
