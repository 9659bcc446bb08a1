#include "cli/report_output.hpp"

#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "io/report_json.hpp"

namespace rope::cli {
namespace {

constexpr Format report_formats[] = {{"text", ".txt"}, {"json", ".json"}};

// --format, with auto resolved to what suits standard output.
std::string_view stdout_format(const Arguments& arguments, std::span<const Format> formats) {
    const std::string asked = arguments.value("--format").value_or("auto");
    if (asked == "auto") return stdout_is_terminal() ? "text" : "json";
    std::vector<std::string_view> known{"auto"};
    for (const Format& format : formats) {
        if (format.name == asked) return format.name;
        known.push_back(format.name);
    }
    throw unknown_word("format", asked, known);
}

}  // namespace

std::vector<Option> report_options() {
    return {
        {.name = "--format",
         .value = "FORMAT",
         .help = "auto, text or json; auto is text on a terminal, else json"},
        {.name = "--output",
         .alias = "-o",
         .value = "FILE",
         .help = "the report to x.json, x.txt, FORMAT:FILE or -",
         .repeats = true},
        {.name = "--quiet", .alias = "-q", .help = "failures and the last line only"},
        {.name = "--verbose", .alias = "-v", .help = "every check's statement, source and witness"},
    };
}

std::vector<Target> targets_among(std::span<const Format> formats, const Arguments& arguments) {
    const std::string_view format = stdout_format(arguments, formats);
    std::vector<Target> targets;
    for (const std::string& output : arguments.values("--output")) {
        targets.push_back(parse_target(output, formats, format));
    }
    if (targets.empty()) targets.push_back({format, "-"});
    return targets;
}

std::vector<Target> report_targets(const Arguments& arguments) {
    return targets_among(report_formats, arguments);
}

std::string render(std::span<const Report> reports, std::string_view format, int exit_code,
                   const io::TextOptions& text) {
    if (format == "json") {
        return reports.size() == 1 ? io::report_json(reports[0], ROPE_CHECK_VERSION, exit_code)
                                   : io::reports_json(reports, ROPE_CHECK_VERSION, exit_code);
    }
    std::string all;
    for (const Report& report : reports) {
        if (reports.size() > 1) all += (all.empty() ? "" : "\n") + report.subject.layers + ":\n";
        all += io::report_text(report, text);
    }
    return all;
}

}  // namespace rope::cli
