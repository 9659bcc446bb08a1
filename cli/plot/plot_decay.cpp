#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "plots/figures/comparison.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t longest = 1 << 24;  // 128 MiB for a curve

std::vector<Option> options() {
    return with_plotting_options({
        {.name = "--overlay",
         .help = "all Specs in one panel, and RoFormer's bound (§3.4.3) in another"},
    });
}

int run(const Arguments& arguments) {
    const std::vector<plots::NamedSpec> specs = specs_to_draw(arguments);
    const std::uint64_t last =
        distance_of(arguments, longest).value_or(plots::default_decay_distance);
    plots::Figure figure = arguments.has("--overlay") ? plots::decay_figure(specs, last)
                                                      : plots::comparison_figure(specs, last);
    return deliver_figure(std::move(figure), arguments);
}

}  // namespace

constinit const Command plot_decay_command{
    .name = "plot-decay",
    .summary = "draw how the score of two equal tokens falls with their distance",
    .examples =
        "  rope-check plot-decay                  base θ beside He & Xu's scaled θ: decay.svg\n"
        "  rope-check plot-decay --base 10000 --base 500000\n"
        "  rope-check plot-decay --config path/to/model --distance 131072 -o decay.png\n"
        "  rope-check plot-decay --overlay -o overlay.svg -o overlay.csv\n",
    .options = options,
    .repeats_spec = true,
    .run = run,
    .targets = figure_targets,
};

}  // namespace rope::cli
