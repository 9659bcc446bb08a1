// Text for a terminal of 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope::io {

// The words of a text as lines of at most 80 code points, the later ones indented; a longer word
// has a line of its own. Ends in a newline.
std::string wrapped(std::string_view text, std::size_t indent);

// The same after a mark such as "  1. ", the later lines beside it.
std::string hanging(std::string_view mark, std::string_view text);

}  // namespace rope::io
