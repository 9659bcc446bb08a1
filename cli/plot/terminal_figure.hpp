// A figure drawn in the terminal in place of a file.
#pragma once

#include "cli/shell/arguments.hpp"
#include "plots/parts/figure.hpp"

namespace rope::cli {

// Without --output, on a terminal or where --ascii asks for it. Throws InputError where --ascii
// and --output are both given.
bool draws_in_terminal(const Arguments& arguments);

// To standard output, as characters.
void draw_in_terminal(const plots::Figure& figure, const Arguments& arguments);

}  // namespace rope::cli
