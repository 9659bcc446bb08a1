// The common parts of commands that draw, and the interactive page.
#pragma once

#include <cstdint>
#include <span>

#include "cli/shell/arguments.hpp"
#include "io/render/results.hpp"
#include "plots/page/page.hpp"
#include "plots/parts/figure.hpp"

namespace rope::cli {

// Whether a target is a figure: svg, csv, png or pdf.
bool has_figure(const Arguments& arguments);

// The points that a CSV lists.
enum class Listing { every_point, plotted_points };

// Adds version and command to the figure and writes it to the target.
void deliver_figure(const plots::Figure& figure, const Target& target, const Arguments& arguments,
                    Listing listing = Listing::every_point);

// Returns an explorer of the config's layers that differ, with the built-in models.
io::Explorer explorer_of(std::span<const io::NamedModel> layers, const Arguments& arguments,
                         std::uint64_t context);

void deliver_page(const plots::Page& page, const Target& target, const Arguments& arguments);

}  // namespace rope::cli
