#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "plots/figures/figures.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t longest_angles = 1 << 16;  // a dot at each

std::vector<Option> plot_angles_options() { return with_angle_options({}); }

int run_plot_angles(const Arguments& arguments) {
    const auto reach = distance_of(arguments, longest_angles);
    const auto [specs, pair, per_row] = angles_to_draw(arguments, reach);
    plots::Figure figure = plots::angles_figure(specs, pair, reach);
    return deliver_figure(std::move(figure), figure_targets(arguments), arguments);
}

}  // namespace

constinit const Command plot_angles_command{
    .name = "plot-angles",
    .summary = "draw one pair's angle between two tokens over distance",
    .doing = "drawing",
    .examples =
        "  rope-check plot-angles                 base θ over He & Xu's scaled θ: angles.svg\n"
        "  rope-check plot-angles --config path/to/model --pair 20\n"
        "  rope-check plot-angles --base 500000 --no-scaled --distance 100 -o angles.csv\n",
    .options = plot_angles_options,
    .repeats_spec = true,
    .run = run_plot_angles,
    .targets = figure_targets,
};

}  // namespace rope::cli
