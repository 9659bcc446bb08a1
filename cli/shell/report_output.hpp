// The targets and formats of reports.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "io/render/results.hpp"

namespace rope::cli {

// Help of the output options; the defaults are those of a Document.
struct OutputHelp {
    std::string_view verbose;
    std::string_view output = "write to x.txt, x.json, x.md, FORMAT:FILE or -";
    std::string_view format = "text, json or markdown (default: text on a terminal, else json)";
    std::string_view quiet = "print no messages about written files";
};

// Returns a command's options, then --format, --output, --quiet and --verbose.
std::vector<Option> with_output(std::vector<Option> own, const OutputHelp& help);
// Help of --output for report_options().
inline constexpr std::string_view report_files =
    "write the report to x.json, x.txt, x.xml, x.md, FORMAT:FILE or -";
inline constexpr std::string_view report_and_figure_files =
    "write the report to x.json, x.txt, x.xml or x.md, a figure to x.svg, x.png or x.pdf, its data "
    "to x.csv, an interactive report to x.html; also FORMAT:FILE, and - for standard output";
// Returns the output options of a report; `output` is the help of --output.
std::vector<Option> report_options(std::string_view output);

// Returns the targets of --output, else standard output; auto is text on a terminal, else json.
// Throws InputError for a format that is not in `formats`, and as targets_among does.
std::vector<Target> formatted_targets(std::span<const OutputFormat> formats,
                                      const Arguments& arguments);
// The first three formats are those of a Document, the others those of figures and pages.
inline constexpr OutputFormat document_formats[] = {
    {"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}, {"svg", ".svg"},
    {"csv", ".csv"},  {"png", ".png"},   {"pdf", ".pdf"},     {"html", ".html"}};
template <std::size_t count = 3>
std::vector<Target> document_targets(const Arguments& arguments) {
    return formatted_targets(std::span(document_formats).first(count), arguments);
}
// Returns the targets of a report: text formats, and the figures and the page of verify and
// compare.
std::vector<Target> report_targets(const Arguments& arguments);
std::vector<Target> written_report_targets(const Arguments& arguments);  // text formats only

// Delivers to a text target: reports of several layers under their names, then the drift.
void deliver_results(const io::Results& results, const Target& target, const Arguments& arguments);

}  // namespace rope::cli
