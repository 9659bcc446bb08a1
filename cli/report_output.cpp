#include "cli/report_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "io/report_json.hpp"

namespace rope::cli {
namespace {

constexpr Format formats[] = {{"text", ".txt"}, {"json", ".json"}};
constexpr std::string_view format_names[] = {"auto", "text", "json"};

// --format, with auto resolved to what suits standard output.
std::string_view stdout_format(const Arguments& arguments) {
    const std::string asked = arguments.value("--format").value_or("auto");
    const auto known = std::find(std::begin(format_names), std::end(format_names), asked);
    if (known == std::end(format_names)) throw unknown_word("format", asked, format_names);
    if (*known != "auto") return *known;
    return stdout_is_terminal() ? "text" : "json";
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

std::vector<Target> report_targets(const Arguments& arguments) {
    const std::string_view format = stdout_format(arguments);
    std::vector<Target> targets;
    for (const std::string& output : arguments.values("--output")) {
        targets.push_back(parse_target(output, formats, format));
    }
    if (targets.empty()) targets.push_back({format, "-"});
    return targets;
}

std::string render(const Report& report, std::string_view format, int exit_code,
                   const io::TextOptions& text) {
    return format == "json" ? io::report_json(report, ROPE_CHECK_VERSION, exit_code)
                            : io::report_text(report, text);
}

}  // namespace rope::cli
