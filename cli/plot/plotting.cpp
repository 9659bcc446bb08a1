#include "cli/plot/plotting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "cli/plot/terminal_figure.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/rasterize.hpp"
#include "cli/shell/specs.hpp"
#include "io/render/command_line.hpp"
#include "io/text/number.hpp"
#include "plots/csv/csv.hpp"
#include "plots/figures/subject.hpp"
#include "plots/svg/svg.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat formats[] = {
    {"svg", ".svg"}, {"csv", ".csv"}, {"png", ".png"}, {"pdf", ".pdf"}};

// Whose points are counted as they are read.
plots::Figure counted(plots::Figure figure, TaskCount* points) {
    if (points == nullptr) return figure;
    for (plots::Panel& panel : figure.panels)
        for (plots::Series& series : panel.series) {
            if (!series.curve) continue;
            points->all += series.curve->last + 1;
            series.curve->fill = [fill = series.curve->fill, last = series.curve->last, points](
                                     std::uint64_t first, std::span<double> y) {
                fill(first, y);
                points->ended += std::min<std::uint64_t>(y.size(), last + 1 - first);
            };
        }
    return figure;
}

std::string draw(const plots::Figure& figure, std::string_view format) {
    std::string svg = plots::to_svg(figure);
    return format == "svg" ? svg : rasterize(svg, format);
}

void deliver_csv(const std::string& path, const plots::Figure& figure, const Arguments& arguments) {
    deliver(path, [&](const io::Sink& write) { plots::write_csv(figure, write); }, arguments);
}

// Where a figure went, and how: part of no figure.
constexpr std::string_view not_drawn[] = {"--output",  "--quiet",   "--ascii", "--sandbox",
                                          "--threads", "--verbose", "--json",  "--format"};

// Draws the figure again.
std::string command_line(const Arguments& arguments) {
    std::string line = fmt::format("rope-check {}", arguments.command);
    for (const io::Flag& flag : arguments.given) {
        if (std::ranges::find(not_drawn, flag.name) != std::end(not_drawn)) continue;
        line += fmt::format(" {}", flag.name);
        if (!flag.value.empty()) line += fmt::format(" {}", io::shell_word(flag.value));
    }
    for (const std::string& word : io::words_of_flags(arguments.spec_flags))
        line += " " + io::shell_word(word);
    return arguments.command.starts_with("plot-") ? line : line + " -o figure.svg";
}

}  // namespace

std::vector<Option> with_plotting_options(std::vector<Option> own) {
    own.push_back({.name = "--distance", .value = "N", .help = "largest distance in the figure"});
    return with_output_options(std::move(own));
}

std::vector<Option> with_output_options(std::vector<Option> own) {
    own.push_back({.name = "--ascii", .help = "draw in the terminal, with ASCII alone"});
    own.push_back(
        {.name = "--output",
         .alias = "-o",
         .value = "FILE",
         .help = "write to x.svg, x.csv, x.png, x.pdf, FORMAT:FILE or - (default: draw in the "
                 "terminal; without one write NAME.svg)",
         .repeats = true});
    own.push_back(
        {.name = "--quiet", .alias = "-q", .help = "print no messages about written files"});
    return own;
}

std::vector<plots::NamedSpec> specs_to_draw(const Arguments& arguments) {
    const bool asked = !arguments.spec_flags.empty() || arguments.has("--config");
    return asked ? specs_of(arguments) : plots::base_and_scaled(Spec{});
}

std::vector<Option> with_angle_options(std::vector<Option> own) {
    own.push_back(
        {.name = "--no-scaled", .help = "leave out He & Xu's scaled form of each config"});
    own.push_back({.name = "--pair",
                   .value = "I",
                   .help =
                       "pair whose angle is drawn (default: 0; of several configs, the "
                       "slowest that differs between them and completes a turn in the context)"});
    return with_plotting_options(std::move(own));
}

Angles angles_to_draw(const Arguments& arguments, std::optional<std::uint64_t> reach) {
    std::vector<plots::NamedSpec> specs = specs_of(arguments);
    const std::uint64_t last_pair = plots::common_pairs(specs) - 1;
    const auto asked = arguments.value("--pair");
    const std::uint64_t pair = asked ? io::parse_whole("--pair", *asked, 0, last_pair)
                                     : plots::slowest_differing_pair(specs, reach);
    if (arguments.has("--no-scaled")) {
        return {std::move(specs), static_cast<std::uint32_t>(pair), 2};
    }
    return {plots::with_scaled(specs), static_cast<std::uint32_t>(pair), 2};
}

std::optional<std::uint64_t> distance_of(const Arguments& arguments, std::uint64_t most) {
    const auto distance = arguments.value("--distance");
    if (!distance) return std::nullopt;
    return io::parse_whole("--distance", *distance, 2, most);
}

std::vector<Target> figure_targets(const Arguments& arguments) {
    if (draws_in_terminal(arguments)) return {{"terminal", "-"}};
    const std::string name = arguments.command.substr(std::string_view("plot-").size());
    return targets_among(formats, {"svg", name + ".svg"}, arguments);
}

std::vector<Target> figures_among(std::span<const Target> targets) {
    std::vector<Target> figures;
    std::ranges::copy_if(targets, std::back_inserter(figures), [](const Target& target) {
        return std::ranges::find(formats, target.format, &OutputFormat::name) != std::end(formats);
    });
    return figures;
}

int deliver_figure(plots::Figure figure, std::span<const Target> targets,
                   const Arguments& arguments, Listing listing) {
    figure.version = ROPE_CHECK_VERSION;
    figure.command = command_line(arguments);
    for (const auto& [format, path] : targets) {
        const plots::Figure drawn = counted(figure, begin_stage(arguments, "drawing"));
        if (format == "terminal")
            draw_in_terminal(drawn, arguments);
        else if (format != "csv")
            deliver(path, draw(drawn, format), arguments);
        else if (listing == Listing::every_point)
            deliver_csv(path, drawn, arguments);
        else
            deliver_csv(path, plots::plotted_points(drawn), arguments);
    }
    return 0;
}

}  // namespace rope::cli
