// Whether a terminal shows pictures, and how.
#pragma once

#include "cli/shell/arguments.hpp"

namespace rope::cli {

Option graphics_option();

enum class Graphics { automatic, kitty, sixel, text };

// What --graphics says. Throws InputError on another word.
Graphics graphics_asked(const Arguments& arguments);

// What to draw with: automatic is what the terminal has, text under --ascii and where colours are
// not wanted. May ask the terminal.
Graphics graphics_of(const Arguments& arguments);

}  // namespace rope::cli
