// Text in terminal cells: width, line breaks, and ASCII spelling.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::plots {

// Returns the width in cells: 0 for a combining mark, 2 for a wide character (Unicode UAX #11).
std::size_t cells_of(char32_t c);
std::size_t cells_of(std::string_view utf8);

// Returns the text in ASCII: θ₀ as theta_0, 10⁻³ as 10^-3, characters without a spelling as ?.
std::string ascii(std::string_view utf8);

// Returns lines of at most this many cells, broken after a space, else anywhere.
std::vector<std::string> wrapped_to_cells(std::string_view utf8, std::size_t cells);
// Returns the first of these lines, ending in `dots` if there are more.
std::string cut_to_cells(std::string_view utf8, std::size_t cells, std::string_view dots);

}  // namespace rope::plots
