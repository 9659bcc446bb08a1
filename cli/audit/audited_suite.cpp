#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/audit/audited_program.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "io/render/command_line.hpp"
#include "io/suite/answered_suite.hpp"
#include "io/suite/suite_files.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view of_a_suite[] = {"--suite",   "--pipeline", "--strict", "--timeout",
                                           "--keep",    "--format",   "--output", "--quiet",
                                           "--verbose", "--color",    "--sandbox"};

std::optional<Arithmetic> arithmetic_of(const Arguments& arguments) {
    const auto name = arguments.value("--pipeline");
    if (!name) return std::nullopt;
    const auto name_of = [](Arithmetic each) { return to_string(each); };
    return item_named(*name, arithmetics, name_of, "arithmetic", "--pipeline");
}

// Throws InputError for options of a single config, or of another form of audit.
void refuse_other_questions(const Arguments& arguments) {
    for (const char* word : {"FORM", "DIR"})
        if (const auto given = arguments.value(word))
            throw InputError(
                fmt::format("unexpected argument '{}' with --suite", printable(*given)));
    for (const io::Flag& flag : arguments.given)
        if (std::ranges::find(of_a_suite, flag.name) == std::end(of_a_suite))
            throw InputError(flag.name, "does not apply to --suite; leave it out");
    if (!arguments.spec_flags.empty())
        throw InputError(arguments.spec_flags[0].name,
                         "does not apply to --suite, whose cases name their own; leave it out");
    if (arguments.rest.empty())
        throw InputError("--suite",
                         "needs a program after --, as in rope-check audit --suite DIR -- COMMAND");
}

}  // namespace

std::string suite_words() {
    std::string text = "\nArithmetics (of --pipeline with --suite):\n";
    for (const Arithmetic each : arithmetics)
        text += fmt::format("  {:<10} {}\n", to_string(each), in_words(each));
    return text +
           "\nWith --suite, the program gets the suite's folder as its last argument and in\n"
           "ROPE_CHECK_DIR. It writes answers.safetensors there, or answers.json of\n"
           "{\"CASE/DTYPE/OUTPUT\": \"hexadecimal digits\"}; docs/suite has complete programs.\n";
}

int run_suite(const Arguments& arguments) {
    refuse_other_questions(arguments);
    const auto arithmetic = arithmetic_of(arguments);
    const std::vector<io::SuiteFile> files = io::suite_files();
    io::require_files(files, *arguments.value("--suite"));
    std::optional<io::AnsweredSuite> suite;
    run_in_folder(
        arguments.rest, arguments.rest[0], arguments,
        [&](const auto& folder) { io::write_files(files, folder); },
        [&](const auto& folder) {
            suite = io::judge_suite(folder, io::shell_words(arguments.rest), arithmetic,
                                    begin_stage(arguments, "checking"));
        });
    deliver_document(io::suite_document(*suite, arguments.has("--verbose")),
                     document_targets(arguments), arguments);
    const bool lacks = arguments.has("--strict") && suite->answered < suite->tests;
    return suite->violated > 0 || lacks ? 1 : 0;
}

}  // namespace rope::cli
