#include "cli/audit/audited_program.hpp"

#include <fmt/format.h>

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

}  // namespace rope::cli
