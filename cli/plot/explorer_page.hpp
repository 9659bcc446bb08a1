// The interactive page: sliders for the parameters of a rotation, and a report above them.
#pragma once

#include <span>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/page/page_json.hpp"
#include "plots/page/page.hpp"

namespace rope::cli {

// Those that are written as a page.
std::vector<Target> pages_among(std::span<const Target> targets);

// Sliders that begin at this Spec, and the built-in models.
io::Explorer explorer_of(const Spec& spec);

void deliver_page(const plots::Page& page, std::span<const Target> targets,
                  const Arguments& arguments);

// A page of sliders without a report.
void write_explorer(const Spec& spec, std::span<const Target> targets, const Arguments& arguments);

}  // namespace rope::cli
