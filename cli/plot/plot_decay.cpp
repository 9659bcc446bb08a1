#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "plots/figures/decay.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t longest_decay = 1 << 24;

std::vector<Option> plot_decay_options() {
    return with_angle_options({
        {.name = "--overlay",
         .help = "draw all configs in one panel, and RoFormer's bound (§3.4.3) in another"},
        {.name = "--relatives",
         .help =
             "draw how the logit falls with distance under RoPE, ALiBi and sinusoidal encodings"},
        {.name = "--every-distance",
         .help = "list every distance in a CSV (default: the points that are drawn)"},
    });
}

void refuse_idle(const Arguments& arguments) {
    for (const char* one : {"--overlay", "--relatives"})
        if (arguments.has(one) && arguments.has("--pair"))
            throw InputError(
                "--pair",
                fmt::format("does nothing with {}, which draws no angle; leave one out", one));
    if (arguments.has("--overlay") && arguments.has("--relatives"))
        throw InputError("--overlay", "and --relatives are figures of their own; leave one out");
    const auto is_csv = [](const Target& target) { return target.format == "csv"; };
    if (arguments.has("--every-distance") &&
        std::ranges::none_of(figure_targets(arguments), is_csv))
        throw InputError("--every-distance", ": no CSV is written; add -o FILE.csv");
}

// Cosines of all curves: two minutes of work.
constexpr std::uint64_t largest_decay_figure = std::uint64_t{1} << 35;

void refuse_large(std::span<const plots::NamedSpec> specs, std::uint64_t last) {
    std::uint64_t pairs = 0;
    for (const plots::NamedSpec& named : specs) pairs += named.spec.pairs();
    if (last > largest_decay_figure / pairs)
        throw InputError(
            "--distance",
            fmt::format("{} of {} curves, which have {} pairs", last, specs.size(), pairs),
            fmt::format("at most {}", largest_decay_figure / pairs));
}

int run_plot_decay(const Arguments& arguments) {
    refuse_idle(arguments);
    const bool has_relatives = arguments.has("--relatives");
    const auto [specs, pair, per_row] =
        has_relatives ? Angles{specs_of(arguments), 0, 1} : angles_to_draw(arguments);
    const std::uint64_t last = distance_of(arguments, longest_decay)
                                   .value_or(has_relatives ? plots::default_relatives_distance
                                                           : plots::default_decay_distance);
    refuse_large(specs, last);
    TaskCount* distances = begin_stage(arguments, "searching");
    plots::Figure figure = has_relatives ? plots::relatives_figure(specs, last)
                           : arguments.has("--overlay")
                               ? plots::decay_figure(specs, last, distances)
                               : plots::comparison_figure(specs, {pair, per_row, last}, distances);
    return deliver_figure(
        std::move(figure), figure_targets(arguments), arguments,
        arguments.has("--every-distance") ? Listing::every_point : Listing::plotted_points);
}

}  // namespace

constinit const Command plot_decay_command{
    .name = "plot-decay",
    .summary = "draw how the score of equal tokens falls with distance",
    .doing = "drawing",
    .examples =
        "  rope-check plot-decay                  base θ and He & Xu's scaled θ: decay.svg\n"
        "  rope-check plot-decay --base 10000 --base 500000\n"
        "  rope-check plot-decay --config path/to/model --distance 131072 -o decay.png\n"
        "  rope-check plot-decay --relatives      RoPE, ALiBi and sinusoidal encodings\n"
        "  rope-check plot-decay --overlay --no-scaled --base 10000 --base 500000 -o both.csv\n",
    .options = plot_decay_options,
    .repeats_spec = true,
    .run = run_plot_decay,
    .targets = figure_targets,
};

}  // namespace rope::cli
