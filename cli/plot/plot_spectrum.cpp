#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "plots/figures/spectrum.hpp"

namespace rope::cli {
namespace {

std::vector<Option> plot_spectrum_options() { return with_plotting_options({}); }

int run_plot_spectrum(const Arguments& arguments) {
    const std::vector<plots::NamedSpec> specs = specs_to_draw(arguments);
    plots::Figure figure = plots::spectrum_figure(specs, distance_of(arguments, max_context));
    return deliver_figure(std::move(figure), arguments);
}

}  // namespace

constinit const Command plot_spectrum_command{
    .name = "plot-spectrum",
    .summary = "draw each pair's wavelength and turns, unscaled and scaled",
    .doing = "drawing",
    .examples =
        "  rope-check plot-spectrum --config path/to/model\n"
        "  rope-check plot-spectrum --config a --config b --distance 131072 -o spectrum.png\n"
        "  rope-check plot-spectrum --rope-type ntk --factor 4 --factor 8 -o spectrum.csv\n",
    .options = plot_spectrum_options,
    .repeats_spec = true,
    .run = run_plot_spectrum,
    .targets = figure_targets,
};

}  // namespace rope::cli
