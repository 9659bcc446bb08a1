#include "plots/terminal/figure_text.hpp"

#include <algorithm>
#include <cstddef>

#include "plots/terminal/panel_text.hpp"

namespace rope::plots {
namespace {

constexpr std::size_t gap = 3;           // cells between panels
constexpr std::size_t least_panel = 56;  // cells of a panel beside others

std::size_t panels_per_row(const Figure& figure, std::size_t width) {
    const auto asked = static_cast<std::size_t>(std::max(1, figure.columns));
    return std::clamp<std::size_t>((width + gap) / (least_panel + gap), 1, asked);
}

}  // namespace

std::string to_text(const Figure& figure, const TerminalStyle& style) {
    Canvas page(style.width);
    add_wrapped(page, figure.title, {{}, {}, Emphasis::bold}, style);
    add_wrapped(page, figure.subtitle, {{}, {}, Emphasis::dim}, style);
    const std::size_t per_row = panels_per_row(figure, style.width);
    const std::size_t width = (style.width - (per_row - 1) * gap) / per_row;
    for (std::size_t first = 0; first < figure.panels.size(); first += per_row) {
        page.add_line();
        const std::size_t top = page.height();
        for (std::size_t i = first; i < std::min(first + per_row, figure.panels.size()); ++i)
            page.put(top, (i - first) * (width + gap),
                     panel_canvas(figure.panels[i], width, style));
    }
    page.add_line();
    for (const std::string& note : figure.notes)
        add_wrapped(page, note, {{}, {}, Emphasis::dim}, style);
    return page.text(style.palette);
}

}  // namespace rope::plots
