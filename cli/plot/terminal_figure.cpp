#include "cli/plot/terminal_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/base64.hpp"
#include "base/error.hpp"
#include "cli/shell/color.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/rasterize.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/io_error.hpp"
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

// kitty says so itself; within tmux or screen its variables may be left over.
bool shows_pictures(const Arguments& arguments) {
    const std::string_view terminal = variable("TERM");
    if (!stdout_is_terminal() || arguments.has("--ascii") || !wants_color(arguments)) return false;
    if (is_set("TMUX") || terminal.starts_with("screen") || terminal.starts_with("tmux"))
        return false;
    return terminal == "xterm-kitty" || is_set("KITTY_WINDOW_ID");
}

// https://sw.kovidgoyal.net/kitty/graphics-protocol: a PNG (f=100) in parts of 4096 bytes, shown at
// once (a=T) over so many columns, unanswered (q=2).
std::string kitty_picture(std::string_view png, std::size_t columns) {
    constexpr std::size_t most = 4096;
    const std::string data = base64_of(png);
    std::string text;
    for (std::size_t at = 0; at < data.size(); at += most) {
        const int more = at + most < data.size() ? 1 : 0;
        const std::string head = at == 0 ? fmt::format("a=T,f=100,q=2,c={},m={}", columns, more)
                                         : fmt::format("m={}", more);
        text += fmt::format("\x1b_G{};{}\x1b\\", head, data.substr(at, most));
    }
    return text + "\n";
}

// Without librsvg there is none.
std::optional<std::string> picture(const plots::Figure& figure, std::size_t columns) {
    try {
        return kitty_picture(rasterize(plots::to_svg(figure), "png"), columns);
    } catch (const io::IoError&) {
        return std::nullopt;
    }
}

}  // namespace

bool draws_in_terminal(const Arguments& arguments) {
    const bool has_target = arguments.has("--output");
    if (has_target && arguments.has("--ascii"))
        throw InputError("--ascii draws in the terminal, --output in a file; leave one out");
    return !has_target && (stdout_is_terminal() || arguments.has("--ascii"));
}

void draw_in_terminal(const plots::Figure& figure, const Arguments& arguments) {
    const plots::TerminalStyle style{
        .width = std::clamp(stdout_columns(), least_width, greatest_width),
        .is_ascii = arguments.has("--ascii") || !has_utf8_locale(),
        .palette = palette(arguments)};
    std::optional<std::string> text;
    if (shows_pictures(arguments)) text = picture(figure, style.width);
    deliver("-", text ? *text : plots::to_text(figure, style), arguments);
}

}  // namespace rope::cli
