#include "cli/plot/terminal_figure.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "cli/shell/color.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/terminal.hpp"
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

}  // namespace

bool draws_in_terminal(const Arguments& arguments) {
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
    deliver("-", plots::to_text(figure, style), arguments);
}

}  // namespace rope::cli
