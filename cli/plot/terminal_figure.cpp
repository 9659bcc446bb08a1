#include "cli/plot/terminal_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/plot/graphics.hpp"
#include "cli/shell/color.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/rasterize.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/io_error.hpp"
#include "plots/raster/few_colors.hpp"
#include "plots/raster/pixels.hpp"
#include "plots/raster/terminal_picture.hpp"
#include "plots/svg/svg.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::cli {
namespace {

constexpr std::size_t least_width = 40, greatest_width = 400;

plots::Palette palette(const Arguments& arguments) {
    if (!stdout_is_terminal() || !wants_color(arguments)) return plots::Palette::none;
    const std::string_view depth = variable("COLORTERM");
    return depth == "truecolor" || depth == "24bit" ? plots::Palette::full
                                                    : plots::Palette::indexed;
}

// As wide as the terminal, or where the letters are about as large as the terminal's.
std::size_t picture_columns() {
    constexpr std::size_t greatest = 120;
    return std::min(stdout_columns(), greatest);
}

std::string kitty_picture(const std::string& svg) {
    return plots::kitty_of(rasterize(svg, "png"), picture_columns());
}

std::string sixel_picture(const std::string& svg) {
    constexpr std::size_t greatest = 4096;
    const std::size_t width = std::min(picture_columns() * stdout_cell_width(), greatest);
    const auto pixels = plots::pixels_of(rasterize(svg, "png", width));
    if (!pixels) throw io::IoError("rsvg-convert wrote a PNG of another kind than RGB");
    return plots::sixel_of(plots::with_few_colors(*pixels));
}

// Nothing where characters are to be drawn, also because a picture cannot be made, unless it was
// asked for by its name.
std::optional<std::string> picture(const plots::Figure& figure, const Arguments& arguments) {
    const Graphics graphics = graphics_of(arguments);
    if (graphics == Graphics::text) return std::nullopt;
    try {
        const std::string svg = plots::to_svg(figure);
        return (graphics == Graphics::kitty ? kitty_picture(svg) : sixel_picture(svg)) + '\n';
    } catch (const io::IoError& error) {
        if (graphics_asked(arguments) == Graphics::automatic) return std::nullopt;
        throw io::IoError(
            fmt::format("--graphics {}: {}", *arguments.value("--graphics"), error.what()));
    }
}

}  // namespace

bool draws_in_terminal(const Arguments& arguments) {
    (void)graphics_asked(arguments);  // a word that is not known is refused wherever it goes
    const bool has_target = arguments.has("--output");
    if (has_target && arguments.has("--ascii"))
        throw InputError("--ascii", "draws in the terminal, --output in a file; leave one out");
    return !has_target && (stdout_is_terminal() || arguments.has("--ascii"));
}

void draw_in_terminal(const plots::Figure& figure, const Arguments& arguments) {
    const plots::TerminalStyle style{
        .width = std::clamp(stdout_columns(), least_width, greatest_width),
        .is_ascii = arguments.has("--ascii") || !has_utf8_locale(),
        .palette = palette(arguments)};
    const std::optional<std::string> drawn = picture(figure, arguments);
    deliver("-", drawn ? *drawn : plots::to_text(figure, style), arguments);
}

}  // namespace rope::cli
