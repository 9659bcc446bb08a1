#include <string>
#include <utility>
#include <vector>

#include "cli/command/dump_cases.hpp"
#include "cli/command/dump_options.hpp"
#include "cli/command/judging.hpp"
#include "cli/plot/plotting.hpp"
#include "cli/precision/mapped_report.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/progress.hpp"
#include "io/render/comparison_json.hpp"
#include "plots/judged/compared_dump.hpp"

namespace rope::cli {
namespace {

std::vector<Option> plot_compare_options() {
    std::vector<Option> own = dump_options();
    own.push_back({.name = "--context",
                   .value = "N",
                   .help = "judge --inv-freq at positions below N (default: "
                           "max_position_embeddings)"});
    own.push_back(threads_option());
    return with_output_options(std::move(own), true);
}

ComparedReport compared(const Case& one, const Arguments& arguments, SessionOptions options) {
    ComparedReport made;
    options.evidence = &made.evidence;
    made.report = report_of(one, options);
    made.label = label_of(one, arguments, made.report);
    if (made.evidence.pairs.empty())
        throw InputError(made.label +
                         ": has no rows that any Spec of its shape makes; rope-check compare says "
                         "what it is");
    return made;
}

int run_plot_compare(const Arguments& arguments) {
    const AskedDump asked = asked_dump(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    const DumpCases dumps = dump_cases(tensors, asked, arguments);
    SessionOptions options;
    options.claims = false;
    options.threads = threads_asked(arguments);
    (void)begin_stage(arguments, "checking");
    std::vector<ComparedReport> reports;
    for (const Case& one : dumps.cases) {
        options.tasks = begin_part(arguments, reports.size(), dumps.cases.size());
        reports.push_back(compared(one, arguments, options));
    }
    return deliver_figure(plots::compared_figure(reports), arguments, Listing::every_point,
                          [&] { return io::comparison_json(reports, ROPE_CHECK_VERSION); });
}

}  // namespace

constinit const Command plot_compare_command{
    .name = "plot-compare",
    .summary = "draw what compare finds in each pair, row and head",
    .doing = "reading",
    .examples =
        "  rope-check plot-compare dump.npz --dim 64 --base 500000\n"
        "  rope-check plot-compare --q q.npy --q-rot q_rot.npy --dim 128 -o heads.png\n"
        "  rope-check plot-compare --cos cos.npy --sin sin.npy --config path/to/model -o x.json\n",
    .options = plot_compare_options,
    .repeats_spec = false,
    .words = pipeline_list,
    .run = run_plot_compare,
    .targets = figure_and_json_targets,
};

}  // namespace rope::cli
