// Suggestions for options with names from other tools.
#pragma once

#include <span>
#include <string_view>

#include "base/suggest.hpp"

namespace rope::cli {

// Returns the option that is probably meant: the nearest name, or the option that other tools call
// so (--theta is --base).
std::string_view meant_option(std::string_view word, std::span<const std::string_view> known);

}  // namespace rope::cli
