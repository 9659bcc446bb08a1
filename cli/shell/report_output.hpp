// Where a report goes and in which format.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "io/render/results.hpp"

namespace rope::cli {

// Help of the options that say where the answer goes.
struct OutputHelp {
    std::string_view format;
    std::string_view output;
    std::string_view quiet;
    std::string_view verbose;
};

// A command's own options and, after them, --format, --output, --quiet and --verbose.
std::vector<Option> with_output(std::vector<Option> own, const OutputHelp& help);
std::vector<Option> report_options();  // those of a report

// Standard output unless --output names something; auto is text on a terminal, else json. Throws
// InputError on a format that is not among these, and as targets_among does.
std::vector<Target> formatted_targets(std::span<const OutputFormat> formats,
                                      const Arguments& arguments);
std::vector<Target> report_targets(const Arguments& arguments);  // those of a report

// To every target; reports of several layers under their names, the drift after them.
void deliver_results(const io::Results& results, const Arguments& arguments);

}  // namespace rope::cli
