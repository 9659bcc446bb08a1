#include "cli/audit/audited_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/printable.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/terminal.hpp"
#include "io/audit/request.hpp"
#include "io/file/unfinished.hpp"
#include "io/process/child.hpp"
#include "io/render/command_line.hpp"
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

void run_program(const io::Child& child, const std::string& name, const io::SignalWatch& signals,
                 bool quiet) {
    const io::ChildEnd end = io::run_child(child, signals);
    if (end.way == io::ChildEnd::Way::exited && end.status == 0) return;
    const std::string last = last_line_of(end.errors, quiet);
    throw InputError(
        fmt::format("{} {}{}", printable(name), way_text(end, child),
                    last.empty() ? ", without an error message" : "; its last line was: " + last));
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
            arguments.value("--torch").value_or("numpy"),
            called_axes(arguments),
            arguments.has("--backward") ? "backward" : "forward"};
}

void require_axes(const std::string& axes) {
    std::string letters = axes;
    std::ranges::replace(letters, 't', 's');
    std::ranges::sort(letters);
    const bool known = letters == "ds" || letters == "bds" || letters == "dhs" || letters == "bdhs";
    if (!known || axes.back() != 'd')
        throw InputError("--axes",
                         ": '" + printable(axes, 60) +
                             "' is not made of b, h, s (or t) and, last, d, such as bhsd or thd");
}

}  // namespace

std::vector<Option> program_options() {
    return {
        {.name = "--python",
         .value = "MODULE:FUNCTION",
         .help = "a Python function of x and positions, called by python3",
         .reads = Reads::module},
        {.name = "--torch", .value = "TYPE", .help = "call it with PyTorch tensors of this dtype"},
        {.name = "--axes",
         .value = "LETTERS",
         .help = "order of the axes of x: b, h, s (or t) and d, such as bhsd (default: sd)"},
        {.name = "--timeout",
         .value = "SECONDS",
         .help = "stop the program after this time (default: 60)"},
        {.name = "--keep",
         .value = "DIR",
         .help = "new folder that keeps the request and the answer",
         .reads = Reads::request},
    };
}

std::string program_name(const Arguments& arguments) {
    const auto function = arguments.value("--python");
    return function ? printable(*function) : io::shell_words(arguments.rest);
}

std::string called_axes(const Arguments& arguments) {
    return arguments.value("--axes").value_or(arguments.has("--contiguous") ? "bsd" : "sd");
}

bool names_program(const Arguments& arguments) {
    const bool is_python = arguments.has("--python");
    for (const char* option : {"--torch", "--axes"})
        if (arguments.has(option) && !is_python)
            throw InputError(option, "belongs to --python, which is missing");
    if (const auto axes = arguments.value("--axes")) require_axes(*axes);
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
    run_program(child, name, signals, arguments.has("--quiet"));
    (void)begin_stage(arguments, "reading");
    read(folder);
}

Answers ask(const io::Request& request, const Arguments& arguments) {
    std::optional<Answers> answers;
    const std::vector<std::string> words = program_words(arguments);
    run_in_folder(
        words, arguments.value("--python").value_or(words[0]), arguments,
        [&](const auto& folder) {
            io::write_request(folder, request, begin_stage(arguments, "writing"));
        },
        [&](const auto& folder) {
            answers = io::read_answers(folder, request, program_name(arguments));
        });
    return std::move(*answers);
}

}  // namespace rope::cli
