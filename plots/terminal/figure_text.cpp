#include "plots/terminal/figure_text.hpp"

#include <iterator>

#include "base/utf8.hpp"
#include "plots/parts/text.hpp"

namespace rope::plots {
void Canvas::put(std::size_t row, std::size_t column, std::string_view utf8, const Look& look) {
    while (rows_.size() <= row) rows_.emplace_back(style.width);
    std::vector<Cell>& line = rows_[row];
    while (!utf8.empty()) {
        const auto [c, bytes] = first_code_point(utf8);
        const std::string glyph(utf8.substr(0, std::max<std::size_t>(bytes, 1)));
        utf8.remove_prefix(glyph.size());
        const std::size_t cells = cells_of(c);
        if (cells == 0 && column > 0 && column <= style.width) line[column - 1].glyph += glyph;
        if (cells == 0) continue;
        if (column + cells > style.width) return;
        line[column] = {glyph, look};
        if (cells == 2) line[column + 1] = {"", look};
        column += cells;
    }
}

void Canvas::put(std::size_t row, std::size_t column, const Canvas& other) {
    while (rows_.size() < row + other.height()) rows_.emplace_back(style.width);
    for (std::size_t r = 0; r < other.height(); ++r)
        for (std::size_t c = 0; c < other.style.width && column + c < style.width; ++c)
            rows_[row + r][column + c] = other.rows_[r][c];
}

std::string Canvas::text() const {
    std::string text;
    for (const std::vector<Cell>& line : rows_) {
        const auto is_seen = [](const Cell& cell) { return cell.glyph != " "; };
        const auto end = std::find_if(line.rbegin(), line.rend(), is_seen).base();
        std::string now = "\x1b[0m";
        for (auto cell = line.begin(); cell != end; ++cell) {
            if (style.has_colors) {
                const std::string escape = "\x1b[0" + cell->look + "m";
                if (escape != now) text += escape;
                now = escape;
            }
            text += cell->glyph;
        }
        if (now != "\x1b[0m") text += "\x1b[0m";
        text += "\n";
    }
    return text;
}

std::size_t cells_of(std::string_view utf8) {
    return static_cast<std::size_t>(text_width(utf8, terminal_font));
}

void Canvas::add_wrapped(const std::string& foreign, const Look& look) {
    const auto width = static_cast<double>(style.width);
    for (const std::string& line : wrapped(foreign, width, terminal_font, unlimited))
        put(height(), 0, line, look);
}

std::string to_text(const Figure& figure, const TerminalStyle& style) {
    constexpr std::size_t gap = 3;           // cells between panels
    constexpr std::size_t least_panel = 56;  // least width of panels side by side
    Canvas page(style);
    page.add_wrapped(figure.title, in_bold);
    page.add_wrapped(figure.subtitle, dimmed);
    const std::size_t per_row = std::clamp<std::size_t>(
        (style.width + gap) / (least_panel + gap), 1, static_cast<std::size_t>(figure.columns));
    TerminalStyle of_panels = style;
    of_panels.width = (style.width - (per_row - 1) * gap) / per_row;
    for (std::size_t first = 0; first < figure.panels.size(); first += per_row) {
        page.add_line();
        const std::size_t top = page.height();
        for (std::size_t i = first; i < std::min(first + per_row, figure.panels.size()); ++i)
            page.put(top, (i - first) * (of_panels.width + gap),
                     panel_canvas(figure.panels[i], of_panels));
    }
    page.add_line();
    for (const std::string& note : figure.notes) page.add_wrapped(note, dimmed);
    return page.text();
}

}  // namespace rope::plots
