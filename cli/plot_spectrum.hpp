// rope-check plot-spectrum: wavelength and turns of each pair, unscaled and as planned.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command plot_spectrum_command;

}  // namespace rope::cli
