#include <algorithm>
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
#include "io/render/precision_json.hpp"
#include "plots/judged/precision.hpp"

namespace rope::cli {
namespace {

std::vector<Option> plot_precision_options() {
    std::vector<Option> own = dump_options();
    std::ranges::find(own, "--pipeline", &Option::name)->help =
        "pipeline to draw (default: hf-fp32); of a dump, the one that made it";
    own.push_back({.name = "--context",
                   .value = "N",
                   .help = "draw positions 0 to N - 1 of a pipeline or of --inv-freq (default: "
                           "max_position_embeddings)"});
    own.push_back(threads_option());
    return with_output_options(std::move(own), true);
}

MappedReport drawn(const Case& one, const Arguments& arguments, const SessionOptions& options) {
    MappedReport made = mapped(one, arguments, options);
    if (made.errors.columns() == 0)
        throw InputError(made.label +
                         ": has no rows beside the exact ones to draw; rope-check compare says "
                         "what it is");
    return made;
}

int draw(std::span<const Case> cases, const Arguments& arguments) {
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.threads = threads_asked(arguments);
    (void)begin_stage(arguments, "checking");
    std::vector<MappedReport> reports;
    for (const Case& one : cases) {
        options.tasks = begin_part(arguments, reports.size(), cases.size());
        reports.push_back(drawn(one, arguments, options));
    }
    return deliver_figure(plots::precision_figure(reports), arguments, Listing::every_point,
                          [&] { return io::precision_json(reports, ROPE_CHECK_VERSION); });
}

int run_plot_precision(const Arguments& arguments) {
    if (!has_dump(arguments)) return draw(pipeline_cases(arguments), arguments);
    const AskedDump asked = asked_dump(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    const DumpCases dumps = dump_cases(tensors, asked, arguments);
    return draw(dumps.cases, arguments);
}

}  // namespace

constinit const Command plot_precision_command{
    .name = "plot-precision",
    .summary = "draw a pipeline's or a dump's errors over position and pair",
    .doing = "reading",
    .examples =
        "  rope-check plot-precision --dim 128 --context 131072\n"
        "  rope-check plot-precision --model llama-3.1-8b --pipeline bf16-angles\n"
        "  rope-check plot-precision dump.npz --dim 64 --base 500000 -o errors.png\n"
        "  rope-check plot-precision --cos cos.npy --sin sin.npy --config path/to/model -o "
        "errors.json\n",
    .options = plot_precision_options,
    .repeats_spec = false,
    .words = pipeline_list,
    .run = run_plot_precision,
    .targets = figure_and_json_targets,
};

}  // namespace rope::cli
