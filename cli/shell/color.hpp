// Colour for the first words of a report's lines; reports themselves have none.
#pragma once

#include <string>
#include <string_view>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// What --color asks of standard output; auto is on a terminal that is not "dumb" where NO_COLOR is
// not set (no-color.org). Throws InputError on another word.
bool wants_color(const Arguments& arguments);

// FAIL and DRIFT red, ok green, n/a and note yellow.
std::string colored(std::string_view text);

}  // namespace rope::cli
