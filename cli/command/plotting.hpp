// The common parts of commands that draw, and the interactive page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/render/results.hpp"
#include "plots/figures/subject.hpp"
#include "plots/page/page.hpp"
#include "plots/parts/figure.hpp"

namespace rope::cli {

// The Specs of a figure of angles, each followed by its He & Xu scaled form, and the pair.
struct Angles {
    std::vector<plots::NamedSpec> specs;
    std::uint32_t pair;
};
// Returns the angles to draw up to distance `reach`, if given.
Angles angles_to_draw(const Arguments& arguments, std::optional<std::uint64_t> reach = {});

// Returns the targets of --output, else the terminal, else NAME.svg in the current folder for the
// command plot-NAME.
std::vector<Target> figure_targets(const Arguments& arguments);

// Whether a target is a figure: svg, csv, png or pdf.
bool has_figure(const Arguments& arguments);

// The points that a CSV lists.
enum class Listing { every_point, plotted_points };

// Adds version and command to the figure and writes it to the target, or to every target. Returns
// the exit code.
void deliver_figure(const plots::Figure& figure, const Target& target, const Arguments& arguments,
                    Listing listing = Listing::every_point);
int deliver_figures(const plots::Figure& figure, const Arguments& arguments,
                    Listing listing = Listing::every_point);

// Returns an explorer of the config's layers that differ, with the built-in models.
io::Explorer explorer_of(std::span<const io::NamedModel> layers, const Arguments& arguments,
                         std::uint64_t context);

void deliver_page(const plots::Page& page, const Target& target, const Arguments& arguments);

}  // namespace rope::cli
