#include "rope/subject/audit.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "base/printable.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/suggest.hpp"
#include "cli/shell/terminal.hpp"
#include "io/audit/audit_folder.hpp"
#include "io/export/export.hpp"
#include "io/file/private_folder.hpp"
#include "io/process/child.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

std::vector<Option> options() {
    return with_judging_options({
        {.name = "FORM",
         .value = "WORD",
         .help = "new: write the request; check: judge the answer"},
        {.name = "DIR",
         .value = "DIR",
         .help = "folder of the request and the answer",
         .reads = Reads::request},
        {.name = "--context",
         .value = "N",
         .help = "audit positions below N (default: max_position_embeddings)"},
        {.name = "--positions",
         .value = "LIST",
         .help =
             "positions to audit, such as 0:8,255,-3,0.5 (default: up to 64 diagnostic positions)"},
        {.name = "--pipeline",
         .value = "NAME",
         .help =
             "judge as this implementation, with its allowances (default: by what explains it)"},
        {.name = "--timeout",
         .value = "SECONDS",
         .help = "stop the program after this time (default: 60)"},
        {.name = "--keep",
         .value = "DIR",
         .help = "new folder in which to keep the request and the answer",
         .reads = Reads::request},
    });
}

std::string words() { return pipeline_list() + check_list(); }

Audit plan_of(const Spec& spec, const Arguments& arguments) {
    std::uint64_t seed = 1;
    if (const auto given = arguments.value("--seed"))
        seed = io::parse_whole("--seed", *given, 0, std::numeric_limits<std::uint64_t>::max());
    const auto list = arguments.value("--positions"), context = arguments.value("--context");
    if (list && context)
        throw InputError("--positions and --context both choose positions; give one of them");
    if (!list)
        return plan_audit(
            spec,
            audited_positions(spec, context ? io::parse_whole("--context", *context, 1, max_context)
                                            : spec.max_position_embeddings),
            seed);
    const io::RowPositions positions = io::parse_positions("--positions", *list);
    if (positions.rows() > max_audited_positions)
        throw InputError(fmt::format("--positions: '{}' has {} positions; the limit is {}",
                                     printable(*list, 60), positions.rows(),
                                     max_audited_positions));
    return plan_audit(spec, positions.at(0, positions.rows()).front(), seed);
}

std::chrono::milliseconds timeout_of(const Arguments& arguments) {
    constexpr double most = 86400;
    const auto given = arguments.value("--timeout");
    const double seconds = given ? io::parse_real("--timeout", *given) : 60;
    if (!(seconds >= 0.001 && seconds <= most))
        throw InputError(
            fmt::format("--timeout: {} is not from 0.001 to {} seconds", printable(*given), most));
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

// Prints the program's last lines; returns the very last, for the error message.
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

void run_program(const io::Child& child, const io::SignalWatch& signals, bool quiet) {
    const io::ChildEnd end = io::run_child(child, signals);
    if (end.way == io::ChildEnd::Way::exited && end.status == 0) return;
    const std::string last = last_line_of(end.errors, quiet);
    throw InputError(
        fmt::format("{} {}{}", printable(child.words[0]), way_text(end, child),
                    last.empty() ? ", without an error message" : "; its last line was: " + last));
}

// Removes the folder, even when a signal ends this process, unless it is to be kept.
Answers ask(const Audit& audit, const Arguments& arguments) {
    const io::SignalWatch signals;
    std::optional<io::PrivateFolder> own;
    std::filesystem::path folder;
    if (const auto keep = arguments.value("--keep")) {
        io::make_empty_folder(*keep);
        folder = std::filesystem::absolute(*keep);
    } else {
        folder = own.emplace().path();
    }
    io::write_request(folder, audit);
    io::Child child{arguments.rest, {{"ROPE_CHECK_DIR", folder}}, timeout_of(arguments)};
    child.words.push_back(folder);
    run_program(child, signals, arguments.has("--quiet"));
    return io::read_answers(folder, audit, io::shell_words(arguments.rest));
}

// As typed, so that a report can say how to reproduce it.
io::SubjectWords subject_words(const Arguments& arguments, std::vector<std::string> words) {
    for (const char* name : {"--context", "--positions", "--pipeline", "--timeout"})
        if (const auto value = arguments.value(name)) {
            words.emplace_back(name);
            words.push_back(*value);
        }
    io::SubjectWords all(std::move(words));
    all.command = "audit";
    all.program = arguments.rest;
    return all;
}

int judge_answers(const io::ResolvedSpec& resolved, Answers answers, const Arguments& arguments,
                  std::vector<std::string> words) {
    const auto name = arguments.value("--pipeline");
    const Pipeline* pipeline = name ? &pipeline_named(*name) : nullptr;
    const Case one[] = {{resolved, [&](const SessionOptions& options) {
                             return rope::audit(std::move(answers), options, pipeline);
                         }}};
    return judge_and_report(one, arguments, subject_words(arguments, std::move(words)));
}

int run_whole(const Arguments& arguments) {
    const io::ResolvedSpec resolved = spec_of(arguments);
    return judge_answers(resolved, ask(plan_of(resolved.spec, arguments), arguments), arguments,
                         {});
}

int run_new(const std::string& folder, const Arguments& arguments) {
    const Audit audit = plan_of(spec_of(arguments).spec, arguments);
    io::make_empty_folder(folder);
    io::write_request(folder, audit);
    if (!arguments.has("--quiet"))
        say(fmt::format(
            "wrote {0}; its README.txt describes the answer; then run: rope-check audit "
            "check {0}",
            io::shell_word(folder)));
    return 0;
}

// Against the request's Spec, or another of the same shape.
int run_check(const std::string& folder, const Arguments& arguments) {
    Audit audit = io::read_request(folder);
    io::ResolvedSpec resolved{audit.spec, {}, {}};
    if (!arguments.spec_flags.empty() || arguments.has("--config")) {
        resolved = spec_of(arguments);
        if (resolved.spec.head_dim != audit.spec.head_dim)
            throw InputError(fmt::format("head_dim is {}; the request in {} has {}",
                                         resolved.spec.head_dim, printable(folder),
                                         audit.spec.head_dim));
        audit = plan_audit(resolved.spec, audit.positions[0], audit.seed);
    }
    return judge_answers(resolved, io::read_answers(folder, std::move(audit), folder), arguments,
                         {"check", folder});
}

int run(const Arguments& arguments) {
    const auto form = arguments.value("FORM"), folder = arguments.value("DIR");
    if (!form && arguments.rest.empty())
        throw InputError(
            "audit needs a program after --, as in rope-check audit --dim 128 -- python3 rope.py");
    if (!form) return run_whole(arguments);
    constexpr std::string_view forms[] = {"new", "check"};
    if (*form != forms[0] && *form != forms[1]) throw unknown_word("form", *form, forms);
    if (!arguments.rest.empty())
        throw InputError(
            fmt::format("audit {} does not run a program; remove what follows --", *form));
    if (!folder) throw InputError(fmt::format("audit {} needs a folder", *form));
    return *form == "new" ? run_new(*folder, arguments) : run_check(*folder, arguments);
}

}  // namespace

constinit const Command audit_command{
    .name = "audit",
    .summary = "test a program that rotates vectors, in any language, through files",
    .examples =
        "  rope-check audit --dim 128 -- python3 my_rope.py\n"
        "  rope-check audit --config path/to/model --positions 0,1,4097 -- ./my_kernel --fast\n"
        "  rope-check audit new request --dim 128   (its README.txt describes the answer)\n"
        "  rope-check audit check request\n",
    .options = options,
    .repeats_spec = false,
    .words = words,
    .run = run,
    .targets = report_targets,
    .rest = Rest::program,
};

}  // namespace rope::cli
