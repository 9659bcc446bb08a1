// The explicit table of every mistake that is known.
#pragma once

#include <span>
#include <string_view>

namespace rope {

// One kind of mistake: a row of the explicit table of all that are known.
struct Mistake {
    std::string_view id;      // "pair-layout"
    std::string_view what;    // in a sentence, for --list-mistakes
    std::string_view advice;  // the usual cause, and the fix
};
std::span<const Mistake> mistakes();
// Throws InputError naming the known mistakes when there is not one of that id.
const Mistake& find_mistake(std::string_view id);

}  // namespace rope
