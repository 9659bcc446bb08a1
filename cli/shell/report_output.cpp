#include "cli/shell/report_output.hpp"

#include "base/suggest.hpp"
#include "cli/shell/terminal.hpp"
#include "io/lint/lint.hpp"
#include "io/render/results.hpp"
#include "io/text/document.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat report_formats[] = {
    {"text", ".txt"}, {"json", ".json"}, {"junit", ".xml"}, {"github", ""},  {"markdown", ".md"},
    {"svg", ".svg"},  {"csv", ".csv"},   {"png", ".png"},   {"pdf", ".pdf"}, {"html", ".html"}};
constexpr std::size_t written_formats = 5;  // text formats; the others are drawn

// The format of standard output: --format, with auto resolved.
std::string_view stdout_format(const Arguments& arguments, std::span<const OutputFormat> formats) {
    const std::string asked = arguments.value("--format").value_or("auto");
    if (asked == "auto") return stdout_is_terminal() || arguments.has("--quiet") ? "text" : "json";
    std::vector<std::string_view> known{"auto"};
    for (const OutputFormat& format : formats) {
        if (format.name == asked) return format.name;
        known.push_back(format.name);
    }
    throw unknown_word("format", asked, known).about("--format");
}

std::string text_of(const io::Results& results) {
    std::string all = io::reports_text(results.reports, results.text, results.required);
    std::vector<io::Lint> shown = results.lint;
    if (results.text.quiet)
        std::erase_if(shown,
                      [](const io::Lint& one) { return one.severity == io::Severity::note; });
    all = io::fitted(all + io::lint_text(shown));
    if (!results.drift) return all;
    return all + (all.empty() ? "" : "\n") +
           io::drift_text(*results.drift, results.text.quiet, results.text.verbose);
}

std::string render(const io::Results& results, std::string_view format) {
    if (format == "json") return io::results_json(results);
    if (format == "junit") return io::junit_xml(results);
    if (format == "github") return io::github_text(results);
    if (format == "markdown") return io::markdown_text(results);
    return text_of(results);
}

}  // namespace

std::vector<Option> with_output(std::vector<Option> own, const OutputHelp& help) {
    own.insert(own.end(), {{"--format", "FORMAT", help.format},
                           output_option(help.output),
                           quiet_option(help.quiet),
                           {.name = "--verbose", .help = help.verbose, .alias = "-v"}});
    return own;
}

std::vector<Option> report_options(std::string_view output) {
    return with_output(
        {}, {"print every check's statement, source and witness", output,
             "text, json, junit, github or markdown (default: text on a terminal, else json)",
             "print failures and one summary line, as text"});
}

std::vector<Target> formatted_targets(std::span<const OutputFormat> formats,
                                      const Arguments& arguments) {
    return targets_among(formats, {stdout_format(arguments, formats), "-"}, arguments);
}

std::vector<Target> report_targets(const Arguments& arguments) {
    return formatted_targets(report_formats, arguments);
}

std::vector<Target> written_report_targets(const Arguments& arguments) {
    return formatted_targets(std::span(report_formats).first(written_formats), arguments);
}

void deliver_results(const io::Results& results, const Target& target, const Arguments& arguments) {
    const std::string text = render(results, target.format);
    const bool colors = target.format == "text" && target.path == "-" && wants_color(arguments);
    deliver(target.path, colors ? colored(text) : text, arguments);
}

}  // namespace rope::cli
