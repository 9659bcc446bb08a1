// Text in the cells of a terminal: how many it takes, where it breaks, and as ASCII.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::plots {

// 0 of a mark that combines with the character before it, 2 of a wide one (Unicode UAX #11).
std::size_t cells_of(char32_t c);
std::size_t cells_of(std::string_view utf8);

// The text in ASCII: θ₀ as theta_0, 10⁻³ as 10^-3, what has no such form as ?.
std::string ascii(std::string_view utf8);

// Lines of no more than so many cells: broken after a space, else anywhere.
std::vector<std::string> wrapped_to_cells(std::string_view utf8, std::size_t cells);
// The first of them, ending in `dots` if there are more.
std::string cut_to_cells(std::string_view utf8, std::size_t cells, std::string_view dots);

}  // namespace rope::plots
