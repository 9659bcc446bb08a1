#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/audit/audited_program.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/suggest.hpp"
#include "io/render/command_line.hpp"
#include "io/suite/answered_suite.hpp"
#include "io/suite/suite_files.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat suite_formats[] = {{"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}};

std::vector<Option> suite_options() {
    std::vector<Option> own{
        {.name = "ACTION", .value = "WORD", .help = "check"},
        {.name = "DIR",
         .value = "DIR",
         .help = "folder of the suite, as export --suite wrote it",
         .reads = Reads::request},
        {.name = "--arithmetic",
         .value = "NAME",
         .help = "allow the angles of this arithmetic: exact, double, pow, exp or iterative "
                 "(default: the most exact that explains the answers)"},
        {.name = "--strict", .help = "exit 1 where an answer is missing"},
    };
    for (const Option& option : program_options())
        if (option.name == "--timeout" || option.name == "--keep") own.push_back(option);
    return with_output(
        std::move(own),
        {"auto, text, json or markdown; auto is text on a terminal, else json",
         "write to x.txt, x.json, x.md, FORMAT:FILE or -", "do not report which files were written",
         "print the worst value of every violated answer"});
}

std::string suite_words() {
    std::string text = "\nArithmetics:\n";
    for (const Arithmetic each : arithmetics)
        text += fmt::format("  {:<10} {}\n", to_string(each), in_words(each));
    return text +
           "\nThe program gets the suite's folder as its last argument and in ROPE_CHECK_DIR. "
           "It writes\nanswers.safetensors there, or answers.json of "
           "{\"CASE/DTYPE/OUTPUT\": \"hexadecimal digits\"};\ndocs/suite has complete ones.\n";
}

std::optional<Arithmetic> arithmetic_of(const Arguments& arguments) {
    const auto name = arguments.value("--arithmetic");
    if (!name) return std::nullopt;
    std::vector<std::string_view> known;
    for (const Arithmetic each : arithmetics) {
        if (to_string(each) == *name) return each;
        known.push_back(to_string(each));
    }
    throw unknown_word("arithmetic", *name, known).about("--arithmetic");
}

std::vector<Target> suite_targets(const Arguments& arguments) {
    return formatted_targets(suite_formats, arguments);
}

void require_words(const Arguments& arguments) {
    constexpr std::string_view actions[] = {"check"};
    constexpr std::string_view example = "as in rope-check suite check DIR -- COMMAND";
    const auto action = arguments.value("ACTION");
    if (!action) throw InputError(fmt::format("suite needs an action, {}", example));
    if (*action != actions[0]) throw unknown_word("action of 'suite'", *action, actions);
    if (!arguments.has("DIR"))
        throw InputError(fmt::format("suite check needs a folder, {}", example));
    if (arguments.rest.empty())
        throw InputError(fmt::format("suite check needs a program after --, {}", example));
    if (!arguments.spec_flags.empty() || arguments.has("--config"))
        throw InputError("suite takes no SPEC; the suite has its own");
}

std::string render(const io::AnsweredSuite& suite, std::string_view format, bool verbose) {
    if (format == "json") return io::suite_json(suite, ROPE_CHECK_VERSION);
    if (format == "markdown") return io::suite_markdown(suite);
    return io::suite_text(suite, verbose);
}

int run_suite(const Arguments& arguments) {
    require_words(arguments);
    const auto arithmetic = arithmetic_of(arguments);
    const std::vector<io::SuiteFile> files = io::suite_files();
    io::require_files(files, *arguments.value("DIR"));
    std::optional<io::AnsweredSuite> suite;
    run_in_folder(
        arguments.rest, arguments.rest[0], arguments,
        [&](const auto& folder) { io::write_files(files, folder); },
        [&](const auto& folder) {
            suite = io::judge_suite(folder, io::shell_words(arguments.rest), arithmetic,
                                    begin_stage(arguments, "checking"));
        });
    for (const Target& target : suite_targets(arguments))
        deliver(target.path, render(*suite, target.format, arguments.has("--verbose")), arguments);
    const bool lacks = arguments.has("--strict") && suite->answered < suite->tests;
    return suite->violated > 0 || lacks ? 1 : 0;
}

}  // namespace

constinit const Command suite_command{
    .name = "suite",
    .summary = "run a program through the conformance suite of export --suite",
    .doing = "checking",
    .examples =
        "  rope-check export --suite rope-suite\n"
        "  rope-check suite check rope-suite -- python3 docs/suite/suite.py\n"
        "  rope-check suite check rope-suite --strict -o table.md -- ./my_answers\n",
    .options = suite_options,
    .repeats_spec = false,
    .words = suite_words,
    .run = run_suite,
    .targets = suite_targets,
    .rest = Rest::program,
    .beyond_sandbox = [](const Arguments&) -> std::string_view { return "runs your program"; },
};

}  // namespace rope::cli
