// What the commands that write a page have in common.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/page/page_json.hpp"
#include "plots/page/page.hpp"

namespace rope::cli {

// --output and --quiet, after the command's own.
std::vector<Option> with_page_options(std::vector<Option> own);

// As --output says, else `otherwise` in the current folder.
std::vector<Target> page_targets(const Arguments& arguments, const std::string& otherwise);

// Sliders that begin at this Spec, and the built-in models.
io::Explorer explorer_of(const Spec& spec);

void deliver_page(const plots::Page& page, std::span<const Target> targets,
                  const Arguments& arguments);

}  // namespace rope::cli
