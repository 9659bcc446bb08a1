#include "cli/plot/graphics.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/plot/device_attributes.hpp"
#include "cli/shell/color.hpp"
#include "cli/shell/suggest.hpp"
#include "cli/shell/terminal.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view words[] = {"auto", "kitty", "sixel", "text"};  // in Graphics' order
constexpr int sixel_attribute = 4;

// Within tmux or screen the variables of the terminal around it may be left over.
bool is_multiplexed() {
    const std::string_view terminal = variable("TERM");
    return is_set("TMUX") || terminal.starts_with("screen") || terminal.starts_with("tmux");
}

// Terminals that read kitty's protocol and say who they are.
bool is_like_kitty() {
    const std::string_view terminal = variable("TERM"), program = variable("TERM_PROGRAM");
    return terminal == "xterm-kitty" || terminal == "xterm-ghostty" || is_set("KITTY_WINDOW_ID") ||
           program == "ghostty" || program == "WezTerm";
}

Graphics of_terminal() {
    if (is_multiplexed()) return Graphics::text;
    if (is_like_kitty()) return Graphics::kitty;
    const std::vector<int> has = device_attributes();
    return std::ranges::find(has, sixel_attribute) != has.end() ? Graphics::sixel : Graphics::text;
}

}  // namespace

Option graphics_option() {
    return {.name = "--graphics",
            .value = "HOW",
            .help =
                "how a terminal shows figures: kitty, sixel (pictures, by rsvg-convert), text "
                "or auto (the default), the best that the terminal supports"};
}

Graphics graphics_asked(const Arguments& arguments) {
    const std::string how = arguments.value("--graphics").value_or("auto");
    const auto found = std::ranges::find(words, how);
    if (found == std::end(words)) throw unknown_word("graphics", how, words).about("--graphics");
    return static_cast<Graphics>(found - std::begin(words));
}

Graphics graphics_of(const Arguments& arguments) {
    const Graphics asked = graphics_asked(arguments);
    if (!stdout_is_terminal() || arguments.has("--ascii")) return Graphics::text;
    if (asked != Graphics::automatic) return asked;
    return wants_color(arguments) ? of_terminal() : Graphics::text;
}

}  // namespace rope::cli
