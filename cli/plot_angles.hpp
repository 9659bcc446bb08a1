// rope-check plot-angles: the angle of pair 0, modulo 2π, at each distance.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command plot_angles_command;

}  // namespace rope::cli
