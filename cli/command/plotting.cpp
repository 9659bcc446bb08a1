// The targets of figures: a file, the terminal, or a page.
#include "cli/command/plotting.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/printable.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/subject/subject.hpp"
#include "io/system/child.hpp"
#include "io/system/read_file.hpp"
#include "io/system/unfinished.hpp"
#include "plots/svg/svg.hpp"
#include "plots/terminal/csv.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::cli {
namespace {

constexpr std::size_t least_width = 40, greatest_width = 400;

// The figure as characters, in a terminal with its width and colours.
std::string characters(const plots::Figure& figure, const std::string& path,
                       const Arguments& arguments) {
    if (path != "-") return plots::to_text(figure, {});
    return plots::to_text(figure,
                          {.width = std::clamp(stdout_columns(), least_width, greatest_width),
                           .has_colors = stdout_is_terminal() && wants_color(arguments)});
}

io::Child converter(std::string_view format) {
    io::Child child{{"rsvg-convert", fmt::format("--format={}", format)}, {}};
    if (format != "pdf") child.words.emplace_back("--zoom=2");
    // equal figures give equal PDFs
    if (std::getenv("SOURCE_DATE_EPOCH") == nullptr)
        child.environment.emplace_back("SOURCE_DATE_EPOCH", "0");
    return child;
}

io::ChildEnd run(const io::Child& child, const io::SignalWatch& signals,
                 std::string_view format) try {
    return io::run_child(child, signals);
} catch (const io::IoError&) {
    throw io::IoError(
        fmt::format("{} needs rsvg-convert from the package librsvg2-bin; SVG does not",
                    format == "pdf" ? "PDF" : "PNG"));
}

// Converts to png at twice the SVG's size, or to pdf. Throws IoError with the package's name if
// rsvg-convert is missing.
std::string rasterize(std::string_view svg, std::string_view format) {
    const io::SignalWatch signals;
    const io::PrivateFolder folder;
    const std::string in = folder.path() / "figure.svg", out = folder.path() / "figure";
    io::write_file_atomically(in, svg);
    io::Child child = converter(format);
    child.words.insert(child.words.end(), {"--output", out, in});
    const io::ChildEnd end = run(child, signals, format);
    std::string image;
    if (std::filesystem::exists(out))
        image = io::as_text(io::read_file(out, std::uint64_t{1} << 30));
    if (end.way != io::ChildEnd::Way::exited || end.status != 0 || image.empty())
        throw io::IoError(fmt::format("rsvg-convert {}{}{}", way_text(end, child),
                                      end.errors.empty() ? "" : "; it said: ",
                                      printable(end.errors.substr(0, end.errors.find('\n')))));
    return image;
}

// The figure with its points counted as they are read.
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

// Options that do not change the figure itself.
constexpr std::string_view not_drawn[] = {"--output",  "--quiet",   "--sandbox",
                                          "--threads", "--verbose", "--format"};

// The command that draws the figure again.
std::string command_line(const Arguments& arguments) {
    const std::string line = "rope-check " + io::shell_words(words_without(not_drawn, arguments));
    return arguments.command.starts_with("plot-") ? line : line + " -o figure.svg";
}

}  // namespace

bool has_figure(const Arguments& arguments) {
    return std::ranges::any_of(arguments.targets, is_figure, &Target::format);
}

void deliver_figure(const plots::Figure& figure, const Target& target, const Arguments& arguments,
                    Listing listing) {
    const auto& [format, path] = target;
    plots::Figure drawn = counted(figure, begin_stage(arguments, "drawing"));
    drawn.version = ROPE_CHECK_VERSION;
    drawn.command = command_line(arguments);
    if (format == "text") return deliver(path, characters(drawn, path, arguments), arguments);
    if (format != "csv") return deliver(path, draw(drawn, format), arguments);
    const auto produce = [&](const io::Sink& write) {
        if (listing == Listing::every_point) return write_csv(drawn, write);
        write_csv(plotted_points(drawn), write);
    };
    deliver(path, produce, arguments);
}

io::Explorer explorer_of(std::span<const io::NamedModel> layers, const Arguments& arguments,
                         std::uint64_t context) {
    io::Explorer explorer{.specs = {}, .models = {}, .context = context};
    for (const io::NamedModel& one : layers)
        if (std::ranges::count(explorer.specs, one.spec, &io::NamedModel::spec) == 0)
            explorer.specs.push_back(one);
    const std::string name = subject_name(arguments);
    const char* between = name.empty() ? "" : " ";
    for (io::NamedModel& one : explorer.specs)
        one.name = explorer.specs.size() == 1 ? name : name + between + one.name;
    const io::KnownSpecs known = io::known_specs(false);
    for (std::size_t k = 0; k < known.specs.size(); ++k)
        explorer.models.push_back({std::string(known.models[k]), known.specs[k]});
    return explorer;
}

void deliver_page(const plots::Page& page, const Target& target, const Arguments& arguments) {
    (void)begin_stage(arguments, "writing");
    deliver(target.path, plots::page_html(page), arguments);
}

}  // namespace rope::cli
