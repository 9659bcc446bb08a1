// What the plot commands have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"

namespace rope::cli {

// --ascii, --graphics, --output and --quiet, after the command's own; some write JSON, too
std::vector<Option> with_output_options(std::vector<Option> own, bool json = false);

// --distance before them
std::vector<Option> with_plotting_options(std::vector<Option> own);

// What to draw side by side: the Specs given; if none, base θ and scaled θ.
std::vector<plots::NamedSpec> specs_to_draw(const Arguments& arguments);

// --no-scaled and --pair, of the commands that draw angles, before --distance and the rest
std::vector<Option> with_angle_options(std::vector<Option> own);

// What they draw: each Spec beside its He & Xu scaled form, in one pair.
struct Angles {
    std::vector<plots::NamedSpec> specs;
    std::uint32_t pair;
    std::size_t per_row;  // 2 for a Spec and its scaled form
};
// To distance `reach`, where it is given.
Angles angles_to_draw(const Arguments& arguments, std::optional<std::uint64_t> reach = {});

// --distance, at most `most`.
std::optional<std::uint64_t> distance_of(const Arguments& arguments, std::uint64_t most);

// As --output says, else the terminal, else NAME.svg in the current folder for the command
// plot-NAME.
std::vector<Target> figure_targets(const Arguments& arguments);
std::vector<Target> figure_and_json_targets(const Arguments& arguments);

// What a CSV lists.
enum class Listing { every_point, plotted_points };

// Signs the figure and writes it there, where `json` says what that is also as JSON. Returns the
// exit code.
int deliver_figure(plots::Figure figure, const Arguments& arguments,
                   Listing listing = Listing::every_point,
                   const std::function<std::string()>& json = {});

}  // namespace rope::cli
