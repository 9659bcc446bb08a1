#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "io/explain/explain_json.hpp"
#include "io/explain/explain_markdown.hpp"
#include "io/explain/explain_text.hpp"
#include "io/explain/reading_list.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat explain_formats[] = {
    {"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}};

std::vector<Option> explain_options() {
    return with_output(
        {
            {.name = "--context",
             .value = "N",
             .help = "count turns in N positions (default: max_position_embeddings)"},
            {.name = "--readings",
             .help = "show which libraries read this config differently, and by how much"},
            {.name = "--list-readings",
             .help = "list how each library reads configs, with sources"},
            {.name = "--strict", .help = "exit 1 if there is any warning"},
        },
        {"auto, text, json or markdown; auto is text on a terminal, else json",
         "write to x.txt, x.json, x.md, FORMAT:FILE or -", "do not report which files were written",
         "list every pair, not only bands of pairs"});
}

std::string render(const io::ExplainedModel& explanation, std::string_view format, bool verbose) {
    if (format == "json") return io::explain_json(explanation, ROPE_CHECK_VERSION);
    return format == "text" ? io::explain_text(explanation, verbose)
                            : io::explain_markdown(explanation, verbose);
}

void refuse_reading(const Arguments& arguments) {
    for (const io::Flag& flag : arguments.spec_flags) {
        if (flag.name == "--reading")
            throw InputError("--readings compares all of them; leave out --reading")
                .about("--reading");
    }
}

std::string render_list(std::string_view format) {
    if (format == "json") return io::reading_list_json(ROPE_CHECK_VERSION);
    return format == "text" ? io::reading_list_text() : io::reading_list_markdown();
}

std::vector<Target> explain_targets(const Arguments& arguments) {
    return formatted_targets(explain_formats, arguments);
}

int run_explain(const Arguments& arguments) {
    if (arguments.has("--list-readings")) {
        for (const Target& target : explain_targets(arguments))
            deliver(target.path, render_list(target.format), arguments);
        return 0;
    }
    std::optional<std::uint64_t> context;
    if (const auto asked = arguments.value("--context")) {
        context = io::parse_whole("--context", *asked, 1, max_context);
    }
    io::ExplainedModel explanation =
        io::explain(io::with_both_tables(model_of(arguments)), context);
    if (arguments.has("--readings")) {
        refuse_reading(arguments);
        io::add_readings(explanation);
    }
    for (const Target& target : explain_targets(arguments)) {
        deliver(target.path, render(explanation, target.format, arguments.has("--verbose")),
                arguments);
    }
    return arguments.has("--strict") && io::gates(explanation.model.lint) ? 1 : 0;
}

}  // namespace

constinit const Command explain_command{
    .name = "explain",
    .summary = "show what a config asks for, and where each field comes from",
    .doing = "explaining",
    .examples =
        "  rope-check explain --config path/to/model\n"
        "  rope-check explain --config config.json --context 131072 --verbose\n"
        "  rope-check explain --config config.json --strict -o explained.md\n"
        "  rope-check explain --config config.json --readings\n"
        "  rope-check explain --dim 128 --base 500000 --rope-type linear --factor 8\n",
    .options = explain_options,
    .repeats_spec = false,
    .run = run_explain,
    .targets = explain_targets,
};

}  // namespace rope::cli
