#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/dump_cases.hpp"
#include "cli/command/dump_options.hpp"
#include "cli/command/judging.hpp"
#include "cli/page/written_page.hpp"
#include "cli/precision/mapped_report.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "io/page/page_json.hpp"

namespace rope::cli {
namespace {

std::vector<Option> html_report_options() {
    std::vector<Option> own = dump_options();
    std::ranges::find(own, "--pipeline", &Option::name)->help =
        "pipeline to judge (default: hf-fp32); of a dump, the one that made it";
    own.push_back({.name = "--context",
                   .value = "N",
                   .help = "check positions 0 to N - 1 of a pipeline or of --inv-freq (default: "
                           "max_position_embeddings)"});
    own = with_question_options(std::move(own));
    own.push_back({.name = "--strict", .help = "exit 1 on a warning about the config"});
    return with_page_options(std::move(own));
}

std::vector<Target> html_report_targets(const Arguments& arguments) {
    return page_targets(arguments, "report.html");
}

std::string html_report_words() { return pipeline_list() + check_list(); }

// Cells of all subjects together: about 0.8 MB of a page.
ErrorMap cells_of_each(std::size_t subjects) {
    constexpr std::size_t most_rows = 64, fewest_rows = 16, most_cells = 320 * most_rows;
    const std::size_t each = most_cells / std::min(subjects, most_cells / 256);
    const std::size_t rows = std::clamp(each / 64, fewest_rows, most_rows);
    return {.most_parts = each / rows, .most_rows = rows, .keeps_places = true};
}

// "gemma-3-27b, 2 subjects"
std::string title_of(std::span<const MappedReport> subjects, const Arguments& arguments) {
    const MappedReport& first = subjects.front();
    if (subjects.size() == 1) return first.label;
    const std::string name = subject_name(arguments);
    return fmt::format("{}, {} subjects", name.empty() ? first.report.subject.origin : name,
                       subjects.size());
}

int write(std::span<const Case> cases, const Arguments& arguments, io::SubjectWords dump) {
    SessionOptions options = session_options(arguments);
    io::Results results = asked_results(cases, options, arguments, std::move(dump));
    (void)begin_stage(arguments, "checking");
    std::vector<MappedReport> subjects;
    for (const Case& one : cases) {
        options.tasks = begin_part(arguments, subjects.size(), cases.size());
        subjects.push_back(mapped(one, arguments, options, cells_of_each(cases.size())));
        results.reports.push_back(subjects.back().report);
    }
    const int code = io::exit_code(results);
    if (code == 2) throw InputError(io::nothing_checked(results));
    const std::string title = title_of(subjects, arguments);
    deliver_page({.title = "rope-check: " + title,
                  .summary = title + ": " + io::headline(results),
                  .json = io::page_json(explorer_of(cases.front().resolved.spec), subjects, results,
                                        ROPE_CHECK_VERSION)},
                 html_report_targets(arguments), arguments);
    return code;
}

int run_report(const Arguments& arguments) {
    if (!has_dump(arguments)) return write(pipeline_cases(arguments), arguments, {});
    const AskedDump asked = asked_dump(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    const DumpCases dumps = dump_cases(tensors, asked, arguments);
    return write(dumps.cases, arguments, dump_words(arguments));
}

}  // namespace

constinit const Command report_command{
    .name = "report",
    .summary = "write what verify or compare finds as a page with figures",
    .doing = "reading",
    .examples =
        "  rope-check report --model llama-3.1-8b --pipeline vllm-bf16-cache -o report.html\n"
        "  rope-check report dump.npz --dim 64 --base 500000\n"
        "  rope-check report --cos cos.npy --sin sin.npy --config path/to/model -o cache.html\n",
    .options = html_report_options,
    .repeats_spec = false,
    .words = html_report_words,
    .run = run_report,
    .targets = html_report_targets,
};

}  // namespace rope::cli
