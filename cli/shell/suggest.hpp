// What other tools call our options.
#pragma once

#include <span>
#include <string_view>

#include "base/suggest.hpp"

namespace rope::cli {

// The option that is probably meant: the nearest, or what other tools call it (--theta is --base).
std::string_view meant_option(std::string_view word, std::span<const std::string_view> known);

}  // namespace rope::cli
