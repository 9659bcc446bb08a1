#include <fmt/format.h>

#include "cli/base_bound/bounding.hpp"
#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "plots/figures/base_bound.hpp"

namespace rope::cli {
namespace {

std::vector<Option> plot_base_bound_options() {
    return with_output_options({
        {.name = "--context",
         .value = "N",
         .help = "require B ≥ 0 at distances 0 to N (default: max_position_embeddings)"},
        threads_option(),
    });
}

// d/2·N of a figure: a minute of work.
constexpr std::uint64_t largest_figure = std::uint64_t{1} << 26;

int run_plot_base_bound(const Arguments& arguments) {
    const Spec spec = spec_to_bound(arguments);
    refuse_idle(arguments, spec);
    if (asks_for(arguments, "--base"))
        throw InputError("--base",
                         "does nothing here: the figure is drawn over the base; leave it out");
    const BaseQuestion question{.pairs = pairs_to_bound(spec),
                                .context = context_to_bound(arguments, spec),
                                .island_work = largest_figure,
                                .threads = threads_asked(arguments)};
    const std::uint64_t pairs = question.pairs.rotating;
    if (pairs * question.context > largest_figure)
        throw InputError("--context",
                         fmt::format("is {} with {} pairs; for a figure it must be at most {}",
                                     question.context, pairs, largest_figure / pairs));
    return deliver_figure(plots::base_bound_figure(question), arguments);
}

}  // namespace

constinit const Command plot_base_bound_command{
    .name = "plot-base-bound",
    .summary = "draw which bases keep equal tokens' score ≥ 0",
    .doing = "searching",
    .examples =
        "  rope-check plot-base-bound --context 4096\n"
        "  rope-check plot-base-bound --dim 64 --context 32768 -o bases.png\n",
    .options = plot_base_bound_options,
    .repeats_spec = false,
    .run = run_plot_base_bound,
    .targets = figure_targets,
    .over_ranks = true,
};

}  // namespace rope::cli
