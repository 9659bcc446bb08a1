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
// Those of a report; `output` is the help of --output.
inline constexpr std::string_view report_files =
    "write the report to x.json, x.txt, x.xml, x.md, FORMAT:FILE or -";
inline constexpr std::string_view report_and_figure_files =
    "write the report to x.json, x.txt, x.xml or x.md, a figure to x.svg, x.png or x.pdf, its data "
    "to x.csv, an interactive report to x.html; FORMAT:FILE or - work, too";
std::vector<Option> report_options(std::string_view output);

// Standard output unless --output names something; auto is text on a terminal, else json. Throws
// InputError on a format that is not among these, and as targets_among does.
std::vector<Target> formatted_targets(std::span<const OutputFormat> formats,
                                      const Arguments& arguments);
// Those of a report: text formats, and the figures and the page of verify and compare.
std::vector<Target> report_targets(const Arguments& arguments);
std::vector<Target> written_report_targets(const Arguments& arguments);  // text formats alone

// To a target that is text; reports of several layers under their names, the drift after them.
void deliver_results(const io::Results& results, const Target& target, const Arguments& arguments);

}  // namespace rope::cli
