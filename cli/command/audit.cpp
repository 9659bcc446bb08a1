// audit: the request to a program, the program that is run, and the checks of its answers.
#include <fmt/format.h>

#include <chrono>
#include <iterator>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/audit/request.hpp"
#include "io/audit/suite_files.hpp"
#include "io/export/export.hpp"
#include "io/system/child.hpp"
#include "io/system/unfinished.hpp"
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

// of python_call.py, whose last line names the fault or what is missing
constexpr int refused_status = 2, missing_status = 3;

// Prints the last lines of the program's output. Returns the very last one, for the error message.
std::string last_line_of(const std::string& text, bool quiet) {
    std::string last;
    for (const std::string_view line : split(text, "\n")) {
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
        {"positions.", "--contiguous", false, "; under --contiguous there are no positions"},
        {"x.npy", "--raw", false, "; leave out --raw"},
    };
    for (const Advice& one : all)
        if (line.find(one.file) != line.npos && arguments.has(one.option) != one.is_needed)
            return one.text;
    return "";
}

void run_program(const io::Child& child, const io::SignalWatch& signals,
                 const Arguments& arguments) {
    const io::ChildEnd end = io::run_child(child, signals);
    if (end.way == io::ChildEnd::Way::exited && end.status == 0) return;
    const std::string last = last_line_of(end.errors, arguments.has("--quiet"));
    if (arguments.has("--python") && end.way == io::ChildEnd::Way::exited && !last.empty()) {
        if (end.status == refused_status) throw InputError(last);
        if (end.status == missing_status) throw io::IoError(last);
    }
    throw InputError(
        fmt::format("{} {}{}{}", printable(arguments.value("--python").value_or(child.words[0])),
                    way_text(end, child),
                    last.empty() ? ", without an error message" : "; its last line was: " + last,
                    end.way == io::ChildEnd::Way::timed_out ? "; --timeout sets another limit"
                                                            : advice_on(last, arguments)));
}

// With --python, the first python3 on PATH runs python_call.py in this folder.
std::vector<std::string> program_words(const Arguments& arguments) {
    const auto function = arguments.value("--python");
    if (!function) return arguments.rest;
    arguments.refuse({"--raw"}, ": a function of --python gets arrays; leave it out");
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

// The name of the program in reports: the words after --, or the function of --python.
std::string program_name(const Arguments& arguments) {
    const auto function = arguments.value("--python");
    return function ? printable(*function) : io::shell_words(arguments.rest);
}

// The axes of the array that a function of --python receives: bhsd, unless --axes names others.
std::string called_axes(const Arguments& arguments) {
    return arguments.value("--axes").value_or("bhsd");
}

// Whether a program is given: words after --, or --python. Throws InputError if both are, or for
// options of --python without it.
bool names_program(const Arguments& arguments) {
    const bool is_python = arguments.has("--python");
    if (!is_python)
        arguments.refuse({"--torch", "--axes"},
                         "belongs to --python, which is missing; a program gets [rows, head_dim]");
    if (is_python && !arguments.rest.empty())
        throw InputError("--python", "and a program after -- both answer; give one of them");
    return is_python || !arguments.rest.empty();
}

// Calls `write` with a new folder, runs the program with that folder as its last argument and in
// ROPE_CHECK_DIR, then calls `read` with it. Removes the folder, even if a signal ends this
// process, unless --keep names it. Throws InputError if the program fails or exceeds --timeout, or
// IoError.
using FolderUse = std::function<void(const std::filesystem::path& folder)>;
void run_in_folder(const Arguments& arguments, const FolderUse& write, const FolderUse& read) {
    io::Child child{program_words(arguments), {}};
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
    child.environment.emplace_back("ROPE_CHECK_DIR", folder);
    child.words.push_back(folder);
    child.timeout = timeout_of(arguments);
    (void)begin_stage(arguments, "running " + program_name(arguments));
    run_program(child, signals, arguments);
    (void)begin_stage(arguments, "reading");
    read(folder);
}

// The arrays that a program or a function returned, under the name of its argument if that is q or
// k.
struct NamedAnswers {
    std::string name;
    Answers answers;
};

// A function of q and k answers in the folders q and k, and a program that is asked for both in the
// request's folder and in its folder k.
std::vector<NamedAnswers> answers_in(const std::filesystem::path& folder,
                                     const io::Request& request, const std::string& origin,
                                     const Arguments& arguments) {
    std::vector<NamedAnswers> answers;
    const bool has_own = arguments.has("--python") && std::filesystem::is_directory(folder / "q");
    if (!has_own && request.form.k_heads == 0) {
        answers.push_back({"", io::read_answers(folder, request, origin)});
        return answers;
    }
    answers.push_back({"q", io::read_answers(has_own ? folder / "q" : folder, request, origin)});
    answers.push_back(
        {"k", io::read_answers(folder / io::k_folder,
                               request.form.k_heads > 0 ? request.of_k() : request, origin)});
    return answers;
}

// Writes the request, runs the program and reads its answers: two of a function of q and k. Throws
// as run_in_folder does.
std::vector<NamedAnswers> ask(const io::Request& request, const Arguments& arguments) {
    io::Request written = request;
    if (arguments.has("--python") && written.form.contiguous > 0) {  // the caller lays rows out
        written.form.contiguous = written.form.offset = 0;
    }
    std::vector<NamedAnswers> answers;
    run_in_folder(
        arguments,
        [&](const auto& folder) {
            io::write_request(folder, written, begin_stage(arguments, "writing"));
        },
        [&](const auto& folder) {
            answers = answers_in(folder, written, program_name(arguments), arguments);
        });
    return answers;
}

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

// Runs audit --suite. Returns 1 if an answer is wrong, or missing with --strict. Throws InputError
// for options of a single config.
int run_suite(const Arguments& arguments) {
    refuse_other_questions(arguments);
    const auto arithmetic = arithmetic_of(arguments);
    const std::vector<io::SuiteFile> files = io::suite_files();
    io::require_files(files, *arguments.value("--suite"));
    std::optional<io::AnsweredSuite> suite;
    run_in_folder(
        arguments, [&](const auto& folder) { io::write_files(files, folder); },
        [&](const auto& folder) {
            suite = io::judge_suite(folder, program_name(arguments), arithmetic,
                                    begin_stage(arguments, "checking"));
        });
    deliver_document(
        io::suite_document(*suite, arguments.has("--verbose"), arguments.has("--quiet")),
        arguments);
    const bool lacks = arguments.has("--strict") && suite->answered < suite->tests;
    return suite->violated > 0 || lacks ? 1 : 0;
}

bool has_axis(const Arguments& arguments, char axis) {
    return !arguments.has("--python") || called_axes(arguments).find(axis) != std::string::npos;
}

std::uint64_t count_of(const Arguments& arguments, const std::string& option, char axis,
                       std::uint64_t usual) {
    const auto given = arguments.value(option);
    if (!given) return arguments.has("--python") && has_axis(arguments, axis) ? usual : 1;
    const std::uint64_t count =
        io::parse_whole(option, given->substr(0, given->find(',')), 1, max_audited_groups);
    if (count > 1 && !has_axis(arguments, axis))
        throw InputError(option, fmt::format(": x has no axis {}; give --axes with it, not {}",
                                             axis, called_axes(arguments)));
    return count;
}

// Returns K of --heads Q,K, or 0.
std::uint64_t k_heads_of(const Arguments& arguments, const AuditGroups& groups) {
    const auto given = arguments.value("--heads");
    const std::size_t comma = given ? given->find(',') : std::string::npos;
    if (comma == std::string::npos) return 0;
    const std::uint64_t heads =
        io::parse_whole("--heads", given->substr(comma + 1), 1, max_audited_groups);
    if (groups.batch * heads == 1 && !arguments.has("--python"))
        throw InputError("--heads", ": k would be one sequence; add --batch 2");
    return heads;
}

SequenceOrder order_of(const Arguments& arguments) {
    const auto axes = arguments.value("--position-axes");
    if (arguments.has("--contiguous")) {
        arguments.refuse({"--position-axes"}, ": under --contiguous a function gets no positions");
        return SequenceOrder::as_they_are;
    }
    if (!axes) return SequenceOrder::own;
    if (*axes != "s" && *axes != "bs")
        throw InputError("--position-axes", ": '" + printable(*axes, 60) + "' is neither s nor bs");
    if (*axes == "bs" && !has_axis(arguments, 'b'))
        throw InputError("--position-axes",
                         ": x has no axis b; give --axes with it, not " + called_axes(arguments));
    return *axes == "s" ? SequenceOrder::shared : SequenceOrder::own;
}

// The gradient of y = R(m)x is R(m)ᵀ·dy = R(−m)·dy.
std::vector<double> negated(std::vector<double> positions) {
    for (double& position : positions)
        if (position != 0) position = -position;
    return positions;
}

std::vector<double> positions_of(const Spec& spec, const Arguments& arguments,
                                 std::uint64_t contiguous, std::uint64_t offset) {
    const auto list = arguments.value("--positions");
    if (list && arguments.has("--context"))
        throw InputError("--positions", "and --context both choose positions; give one of them");
    if (list) {
        std::vector<double> positions = io::parse_positions("--positions", *list);
        if (positions.size() > max_audited_positions)
            throw InputError("--positions", fmt::format(": '{}' has {} positions; the limit is {}",
                                                        printable(*list, 60), positions.size(),
                                                        max_audited_positions));
        return positions;
    }
    if (const auto context = arguments.whole("--context", 1, max_context))
        return audited_positions(spec, *context);
    if (contiguous == 0) return audited_positions(spec, spec.max_position_embeddings);
    std::vector<double> positions = audited_positions(spec, contiguous);
    for (double& position : positions) position += static_cast<double>(offset);
    return positions;
}

// Chooses the table of a sequence that ends at the largest position, if the Spec has two tables.
void choose_table(io::ResolvedSpec& resolved, const std::vector<double>& positions) {
    double largest = 0;
    for (const double position : positions) largest = std::max(largest, std::abs(position));
    io::choose_table(resolved, static_cast<std::uint64_t>(largest) + 1, "the largest position");
}

// Returns the request of these options, and sets `resolved` to its length. Throws InputError.
io::Request request_of(io::ResolvedSpec& resolved, const Arguments& arguments) {
    const std::uint64_t seed = arguments.whole("--seed").value_or(1);
    std::uint64_t contiguous = 0, offset = 0;
    if (const auto given = arguments.value("--contiguous")) {
        const std::size_t colon = given->find(':');
        if (colon != given->npos)
            offset = io::parse_whole("--contiguous", given->substr(0, colon), 0, max_context - 1);
        const std::string end = colon == given->npos ? *given : given->substr(colon + 1);
        contiguous = io::parse_whole("--contiguous", end, offset + 1, max_context) - offset;
    }
    std::vector<double> positions = positions_of(resolved.spec, arguments, contiguous, offset);
    choose_table(resolved, positions);
    const Spec& spec = resolved.spec;
    const bool is_backward = arguments.has("--backward");
    if (is_backward && spec.layout == PairLayout::interleaved_to_half_split)
        throw InputError("--backward",
                         ": with --layout interleaved-to-half the gradient is written to "
                         "other dimensions than the rotation to -m");
    const AuditGroups groups{.batch = count_of(arguments, "--batch", 'b', 2),
                             .heads = count_of(arguments, "--heads", 'h', 3),
                             .order = order_of(arguments)};
    io::Request request{
        plan_audit(spec, is_backward ? negated(std::move(positions)) : std::move(positions), seed,
                   groups),
        {.is_raw = arguments.has("--raw"),
         .contiguous = contiguous,
         .offset = offset,
         .k_heads = k_heads_of(arguments, groups)}};
    request.audit.is_backward = is_backward;
    io::require_form(request);
    return request;
}

std::string audit_words() {
    std::string text = "\nLanguages of audit init:\n ";
    for (const io::Adapter& adapter : io::adapters()) text += " " + std::string(adapter.language);
    text += "\n\nArithmetics (of --pipeline with --suite):\n";
    for (const Arithmetic each : arithmetics)
        text += fmt::format("  {:<10} {}\n", to_string(each), in_words(each));
    return text +
           "\nWith --suite, the program gets the suite's folder as its last argument and in\n"
           "ROPE_CHECK_DIR. It writes answers.safetensors there, or answers.json of\n"
           "{\"CASE/DTYPE/OUTPUT\": \"hexadecimal digits\"}; docs/suite has complete programs.\n";
}

// The options as typed, for the report's `reproduce:`.
io::SubjectWords subject_words(const Arguments& arguments, std::vector<std::string> words) {
    for (const char* name :
         {"--context", "--positions", "--contiguous", "--batch", "--heads", "--position-axes",
          "--python", "--torch", "--axes", "--pipeline", "--timeout", "--backward", "--raw"})
        if (const auto value = arguments.value(name))
            std::ranges::move(words_of_flag({name, *value}), std::back_inserter(words));
    io::SubjectWords all(std::move(words));
    all.command = "audit";
    all.program = arguments.rest;
    return all;
}

int judge_answers(const io::ResolvedSpec& resolved, std::vector<NamedAnswers> answers,
                  const Arguments& arguments, std::vector<std::string> words) {
    const auto name = arguments.value("--pipeline");
    const Pipeline* pipeline = name ? &pipeline_named(*name) : nullptr;
    std::vector<Case> cases;
    for (NamedAnswers& own : answers) {
        const auto judge = [&own, pipeline](const SessionOptions& options) {
            return rope::audit(std::move(own.answers), options, pipeline);
        };
        cases.push_back({.resolved = resolved, .judge = judge, .layers = own.name});
    }
    return judge_and_report(cases, arguments, subject_words(arguments, std::move(words)));
}

// Throws InputError if no option or config determines the right rotation: defaults would decide.
io::ResolvedSpec asked_spec(const Arguments& arguments) {
    if (!arguments.names_spec())
        throw InputError(
            "audit needs a config to check by: a model's name, a config.json, or options such "
            "as --dim 128 --base 10000");
    return spec_of(arguments);
}

int run_whole(const Arguments& arguments) {
    io::ResolvedSpec resolved = asked_spec(arguments);
    std::vector<NamedAnswers> answers = ask(request_of(resolved, arguments), arguments);
    return judge_answers(resolved, std::move(answers), arguments, {});
}

int run_new(const std::string& folder, const Arguments& arguments) {
    io::ResolvedSpec resolved = asked_spec(arguments);
    const io::Request request = request_of(resolved, arguments);
    io::make_empty_folder(folder);
    io::write_request(folder, request, begin_stage(arguments, "writing"));
    if (!arguments.has("--quiet"))
        say(fmt::format(
            "wrote {0}; its README.txt describes the answer; then run: rope-check audit "
            "check {0}",
            io::shell_word(folder)));
    return 0;
}

// Checks answers with the request's Spec, or with another of the same shape.
int run_check(const std::string& folder, const Arguments& arguments) {
    io::Request request = io::read_request(folder);
    io::ResolvedSpec resolved{request.audit.spec, {}, {}};
    if (arguments.names_spec()) {
        resolved = spec_of(arguments);
        const std::uint32_t asked = request.audit.spec.head_dim;
        if (resolved.spec.head_dim != asked)
            throw InputError(fmt::format("head_dim is {}; the request in {} has {}",
                                         resolved.spec.head_dim, printable(folder), asked));
        choose_table(resolved, request.audit.positions[0]);
        request.audit = plan_audit(resolved.spec, request.audit.positions[0], request.audit.seed,
                                   request.audit.groups);
    }
    return judge_answers(resolved, answers_in(folder, request, folder, arguments), arguments,
                         {"check", folder});
}

// Other names of languages.
constexpr std::pair<std::string_view, std::string_view> other_languages[] = {
    {"c++", "cpp"}, {"cxx", "cpp"}, {"pytorch", "torch"}, {"python", "numpy"},   {"py", "numpy"},
    {"cu", "cuda"}, {"rs", "rust"}, {"js", "node"},       {"javascript", "node"}};

int run_init(std::string language, const Arguments& arguments) {
    language = lower_case(language);
    for (const auto& [other, ours] : other_languages)
        if (other == language) language = ours;
    deliver("-", item_named(language, io::adapters(), &io::Adapter::language, "language").text,
            arguments);
    return 0;
}

int run_audit(const Arguments& arguments) {
    if (arguments.has("--suite")) return run_suite(arguments);
    const auto form = arguments.value("FORM"), folder = arguments.value("DIR");
    const bool has_program = names_program(arguments);
    if (!form && !has_program)
        throw InputError(
            "audit needs a program after --, as in rope-check audit --dim 128 -- python3 rope.py, "
            "or a function, as in --python rope.py:rotate");
    if (!form) return run_whole(arguments);
    (void)item_named(*form, option_in("audit", "FORM").words, std::identity{}, "form");
    if (has_program)
        throw InputError(fmt::format("audit {} does not run a program; remove {}", *form,
                                     arguments.rest.empty() ? "--python" : "what follows --"));
    if (!folder)
        throw InputError(fmt::format("audit {} needs a {}", *form,
                                     *form == "init" ? "language, such as numpy or c" : "folder"));
    if (*form == "init") return run_init(*folder, arguments);
    return *form == "new" ? run_new(*folder, arguments) : run_check(*folder, arguments);
}

// `audit init` prints a program, not a report.
std::vector<Target> audit_targets(const Arguments& arguments) {
    constexpr std::string_view of_documents[] = {"text", "json", "markdown"};
    if (arguments.has("--suite")) return formatted_targets(of_documents, arguments);
    if (arguments.value("FORM") != "init") return usual_targets(arguments);
    arguments.refuse({"--output"}, ": audit init prints the program; redirect it to a file");
    return {{"text", "-"}};
}

std::string_view audit_beyond_sandbox(const Arguments& arguments) {
    const auto form = arguments.value("FORM");
    if (form == "check" || form == "init") return "";
    return form == "new" ? "makes a folder" : "runs your program";
}

}  // namespace

constinit const Command audit_command{.name = "audit",
                                      .words = audit_words,
                                      .run = run_audit,
                                      .targets = audit_targets,
                                      .rest = Rest::program,
                                      .beyond_sandbox = audit_beyond_sandbox};

}  // namespace rope::cli
