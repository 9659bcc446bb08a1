#include "cli/audit/audited_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/terminal.hpp"
#include "io/audit/request.hpp"
#include "io/file/unfinished.hpp"
#include "io/process/child.hpp"
#include "io/render/results.hpp"
#include "io/suite/suite_files.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

std::chrono::milliseconds timeout_of(const Arguments& arguments) {
    constexpr double most = 86400;
    const auto given = arguments.value("--timeout");
    const double seconds = given ? io::parse_real("--timeout", *given) : 60;
    if (!(seconds >= 0.001 && seconds <= most))
        throw InputError("--timeout", fmt::format(": {} is not from 0.001 to {} seconds",
                                                  printable(*given), most));
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

constexpr int refused_status = 2;  // of python_call.py: the last line says what is wrong

// Prints the last lines of the program's output. Returns the very last one, for the error message.
std::string last_line_of(const std::string& text, bool quiet) {
    std::string last;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.empty()) continue;
        if (!last.empty() && !quiet) say("| " + printable(last));
        last = line;
    }
    return printable(last);
}

// Returns what to add or leave out if the line names a file that this form of request lacks.
std::string_view advice_on(std::string_view line, const Arguments& arguments) {
    struct Advice {
        std::string_view file, option;
        bool is_needed;  // whether requests have the file only with the option, or only without it
        std::string_view text;
    };
    constexpr Advice all[] = {
        {"shape.txt", "--raw", true, "; add --raw"},
        {"x.f32", "--raw", true, "; add --raw"},
        {"positions.f64", "--contiguous", false, "; under --contiguous there are no positions"},
        {"positions.npy", "--contiguous", false, "; under --contiguous there are no positions"},
        {"x.npy", "--raw", false, "; leave out --raw"},
    };
    for (const Advice& one : all)
        if (line.find(one.file) != line.npos && arguments.has(one.option) != one.is_needed)
            return one.text;
    return "";
}

void run_program(const io::Child& child, const std::string& name, const io::SignalWatch& signals,
                 const Arguments& arguments) {
    const io::ChildEnd end = io::run_child(child, signals);
    if (end.way == io::ChildEnd::Way::exited && end.status == 0) return;
    const std::string last = last_line_of(end.errors, arguments.has("--quiet"));
    if (arguments.has("--python") && end.way == io::ChildEnd::Way::exited &&
        end.status == refused_status)
        throw InputError(last);
    throw InputError(
        fmt::format("{} {}{}{}", printable(name), way_text(end, child),
                    last.empty() ? ", without an error message" : "; its last line was: " + last,
                    advice_on(last, arguments)));
}

// With --python, the first python3 on PATH runs python_call.py in this folder.
std::vector<std::string> program_words(const Arguments& arguments) {
    const auto function = arguments.value("--python");
    if (!function) return arguments.rest;
    if (arguments.has("--raw"))
        throw InputError("--raw", ": a function of --python gets arrays; leave it out");
    return {"python3",
            "-c",
            std::string(io::python_call),
            *function,
            arguments.value("--torch").value_or(""),
            arguments.value("--axes").value_or(""),
            arguments.value("--position-axes").value_or(""),
            arguments.value("--contiguous").value_or(""),
            arguments.has("--backward") ? "backward" : "forward"};
}

}  // namespace

std::vector<Option> program_options() {
    return {
        {"--python", "MODULE:FUNCTION",
         "a function of a Python module or FILE.py, called by python3", Reads::module},
        {"--torch", "TYPE", "call it with PyTorch tensors of this dtype"},
        {"--axes", "LETTERS",
         "order of the axes of x: b, h, s (or t) and d, such as bshd or sd (default: bhsd)"},
        {"--timeout", "SECONDS", "stop the program after this time (default: 60)"},
        {"--keep", "DIR", "new folder that keeps the request and the answer", Reads::request},
    };
}

std::string program_name(const Arguments& arguments) {
    const auto function = arguments.value("--python");
    return function ? printable(*function) : io::shell_words(arguments.rest);
}

std::string called_axes(const Arguments& arguments) {
    return arguments.value("--axes").value_or("bhsd");
}

bool names_program(const Arguments& arguments) {
    const bool is_python = arguments.has("--python");
    for (const char* option : {"--torch", "--axes"})
        if (arguments.has(option) && !is_python)
            throw InputError(
                option, "belongs to --python, which is missing; a program gets [rows, head_dim]");
    if (is_python && !arguments.rest.empty())
        throw InputError("--python", "and a program after -- both answer; give one of them");
    return is_python || !arguments.rest.empty();
}

void run_in_folder(std::vector<std::string> words, const std::string& name,
                   const Arguments& arguments, const FolderUse& write, const FolderUse& read) {
    const io::SignalWatch signals;
    std::optional<io::PrivateFolder> own;
    std::filesystem::path folder;
    if (const auto keep = arguments.value("--keep")) {
        io::make_empty_folder(*keep);
        folder = std::filesystem::absolute(*keep);
    } else {
        folder = own.emplace().path();
    }
    write(folder);
    io::Child child{std::move(words), {{"ROPE_CHECK_DIR", folder}}, timeout_of(arguments)};
    child.words.push_back(folder);
    (void)begin_stage(arguments, "running " + program_name(arguments));
    run_program(child, name, signals, arguments);
    (void)begin_stage(arguments, "reading");
    read(folder);
}

std::vector<NamedAnswers> ask(const io::Request& request, const Arguments& arguments) {
    io::Request written = request;
    if (arguments.has("--python") && written.form.contiguous > 0) {  // the caller lays rows out
        written.form.contiguous = written.form.offset = 0;
        written.audit.groups.order = SequenceOrder::shared;
    }
    std::vector<NamedAnswers> answers;
    const std::vector<std::string> words = program_words(arguments);
    run_in_folder(
        words, arguments.value("--python").value_or(words[0]), arguments,
        [&](const auto& folder) {
            io::write_request(folder, written, begin_stage(arguments, "writing"));
        },
        [&](const auto& folder) {
            const std::string origin = program_name(arguments);
            for (const char* name : {"q", "k"})
                if (std::filesystem::is_directory(folder / name))
                    answers.push_back({name, io::read_answers(folder / name, written, origin)});
            if (answers.empty()) answers.push_back({"", io::read_answers(folder, written, origin)});
        });
    return answers;
}

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
        if (std::ranges::count(of_a_suite, flag.name) == 0)
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
