#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/judging.hpp"
#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/specs.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/text/number.hpp"
#include "plots/figures/scores.hpp"
#include "rope/frequency/frequency.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t most_scores = 1 << 21;  // of all pipelines: 32 MiB

std::vector<Option> options() {
    return with_output_options({
        {.name = "--pipeline",
         .value = "NAME",
         .help = "implementation to emulate (default: hf-fp32, bf16-table and bf16-angles)",
         .repeats = true},
        {.name = "--context",
         .value = "N",
         .help = "put the query at position N - 1 (default: max_position_embeddings, at most "
                 "131072)"},
        {.name = "--seed", .value = "N", .help = "seed of q and k (default: 1)"},
    });
}

std::vector<std::string> pipelines_asked(const Arguments& arguments) {
    std::vector<std::string> asked = arguments.values("--pipeline");
    if (asked.empty()) asked = {"hf-fp32", "bf16-table", "bf16-angles"};
    return asked;
}

int run(const Arguments& arguments) {
    constexpr std::uint64_t usual = 131072, most_seed = std::numeric_limits<std::uint64_t>::max();
    io::ResolvedSpec resolved = spec_of(arguments);
    const auto context = arguments.value("--context"), seed = arguments.value("--seed");
    const std::vector<std::string> pipelines = pipelines_asked(arguments);
    const std::uint64_t rows =
        context ? io::parse_whole("--context", *context, 2, most_scores / pipelines.size())
                : std::clamp<std::uint64_t>(resolved.spec.max_position_embeddings, 2, usual);
    const std::uint64_t seeded = seed ? io::parse_whole("--seed", *seed, 0, most_seed) : 1;
    io::choose_table(resolved, rows, "--context");
    const Spec& spec = resolved.spec;
    if (frequency_restarts(spec.axes) != 1)
        throw InputError("several axes make a distance several; scores are drawn over one");
    std::vector<plots::PipelineScores> all;
    for (const std::string& name : pipelines)
        all.push_back(
            {name, score_curve(spec, *emulate(spec, pipeline_named(name), rows), seeded)});
    const std::string name = subject_name(arguments);
    return deliver_figure(
        plots::scores_figure({name.empty() ? "base θ" : name, spec}, std::move(all), seeded),
        arguments, Listing::plotted_points);
}

}  // namespace

constinit const Command plot_scores_command{
    .name = "plot-scores",
    .summary = "draw attention scores over distance, by several pipelines",
    .examples =
        "  rope-check plot-scores --context 131072\n"
        "  rope-check plot-scores --model llama-3.1-8b --pipeline hf-fp32 --pipeline "
        "chatglm-fp16\n",
    .options = options,
    .repeats_spec = false,
    .words = pipeline_list,
    .run = run,
    .targets = figure_targets,
};

}  // namespace rope::cli
