// rope-check plot-base-bound: which bases hold to a context.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command plot_base_bound_command;

}  // namespace rope::cli
