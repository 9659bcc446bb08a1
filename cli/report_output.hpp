// Where a report goes and in which format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "io/report_text.hpp"
#include "rope/report.hpp"

namespace rope::cli {

// --format, --output, --quiet, --verbose
std::vector<Option> report_options();

// Standard output unless --output names something. Throws InputError on a format or an ending
// that is not known.
std::vector<Target> report_targets(const Arguments& arguments);

// The report in the target's format.
std::string render(const Report& report, std::string_view format, int exit_code,
                   const io::TextOptions& text);

}  // namespace rope::cli
