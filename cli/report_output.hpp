// Where a report goes and in which format.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "io/report_text.hpp"
#include "rope/report.hpp"

namespace rope::cli {

// --format, --output, --quiet, --verbose
std::vector<Option> report_options();

// Standard output unless --output names something; auto is text on a terminal, else json. Throws
// InputError on a format or an ending that is not among these.
std::vector<Target> targets_among(std::span<const Format> formats, const Arguments& arguments);
std::vector<Target> report_targets(const Arguments& arguments);  // text, json

// The reports in the target's format: one as itself, several under the names of their layers.
std::string render(std::span<const Report> reports, std::string_view format, int exit_code,
                   const io::TextOptions& text);

}  // namespace rope::cli
