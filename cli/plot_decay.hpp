// rope-check plot-decay: the angle difference over the decay of the score.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command plot_decay_command;

}  // namespace rope::cli
