// What the plot commands have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/svg/figure.hpp"

namespace rope::cli {

// --output and --quiet, after the command's own
std::vector<Option> with_output_options(std::vector<Option> own);

// --distance before them
std::vector<Option> with_plotting_options(std::vector<Option> own);

// What to draw side by side: the Specs given; if none, base θ and scaled θ.
std::vector<plots::NamedSpec> specs_to_draw(const Arguments& arguments);

// --distance; `most` keeps the figure's data in memory.
std::optional<std::uint64_t> distance_of(const Arguments& arguments, std::uint64_t most);

// As --output says, else NAME.svg in the current folder for the command plot-NAME.
std::vector<Target> figure_targets(const Arguments& arguments);

// Signs the figure and writes it there. Returns the exit code.
int deliver_figure(plots::Figure figure, const Arguments& arguments);

}  // namespace rope::cli
