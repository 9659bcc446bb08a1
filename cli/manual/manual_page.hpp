// Manual pages: roff, for man.
#pragma once

#include <string>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

std::string manual_page();                        // rope-check(1), every command
std::string manual_page(const Command& command);  // rope-check-COMMAND(1)

}  // namespace rope::cli
