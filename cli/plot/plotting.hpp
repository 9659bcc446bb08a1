// What commands that draw have in common, and the interactive page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/render/results.hpp"
#include "plots/figures/subject.hpp"
#include "plots/page/page.hpp"
#include "plots/parts/figure.hpp"

namespace rope::cli {

// --ascii, --output and --quiet, after the command's own
std::vector<Option> with_output_options(std::vector<Option> own);

// --distance before them
std::vector<Option> with_plotting_options(std::vector<Option> own);

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

// Those of another command's targets that are figures: svg, csv, png or pdf.
std::vector<Target> figures_among(std::span<const Target> targets);

// What a CSV lists.
enum class Listing { every_point, plotted_points };

// Signs the figure and writes it to every target. Returns the exit code.
int deliver_figure(plots::Figure figure, std::span<const Target> targets,
                   const Arguments& arguments, Listing listing = Listing::every_point);

// It begins at this Spec; the built-in models can be chosen.
io::Explorer explorer_of(const Spec& spec, const std::string& name, std::uint64_t context);

void deliver_page(const plots::Page& page, const Target& target, const Arguments& arguments);

// A page of sliders without a report.
void write_explorer(const Spec& spec, const Target& target, const Arguments& arguments,
                    std::uint64_t context);

}  // namespace rope::cli
