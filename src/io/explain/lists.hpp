// The output of `list`: the names that options take, with their meanings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/text/document.hpp"

namespace rope::io {

struct List {
    std::string_view name, meaning;
    // Only "models" takes words: it lists the models that have every word in their name, layers,
    // layout or rope_type. Throws InputError with the words if there is none.
    Document (*document)(std::span<const std::string> words, bool verbose);
};

std::span<const List> lists();

}  // namespace rope::io
