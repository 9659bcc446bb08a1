#include "plots/terminal/key.hpp"

#include <algorithm>
#include <utility>

#include "plots/terminal/dot_grid.hpp"
#include "plots/terminal/panel_text.hpp"
#include "plots/terminal/words.hpp"

namespace rope::plots {
namespace {

std::size_t cell_of(double pixel, std::size_t dots, std::size_t cells) {
    const double cell = std::max(0.0, pixel) / static_cast<double>(dots);
    return std::min(static_cast<std::size_t>(cell), cells - 1);
}

}  // namespace

std::size_t PlotArea::column_of(double x) const {
    return left + cell_of(frame.x(x), dots_across, columns);
}
std::size_t PlotArea::row_of(double y) const { return top + cell_of(frame.y(y), dots_down, rows); }

Key::Key(const Panel& panel, const PlotArea& area, const TerminalStyle& style)
    : area_(area), style_(style) {
    using enum Entry::Kind;
    for (const Rule& each : panel.rules)
        if (area.holds_x(each.x)) add(rule, area.top, area.column_of(each.x), each.label);
    for (const Level& each : panel.levels)
        if (area.holds_y(each.y))
            add(level, area.row_of(each.y), area.left + area.columns - 1, each.label);
    for (const Marker& each : panel.markers)
        if (area.holds_x(each.x) && area.holds_y(each.y))
            add(marker, area.row_of(each.y), area.column_of(each.x), each.tag);
}

// Entries without words, and those after the 26th, get no letter. Where the cell is taken, the
// letter goes below it.
void Key::add(Entry::Kind kind, std::size_t row, std::size_t column, const std::string& words) {
    const auto letters =
        std::ranges::count_if(entries_, [](const Entry& entry) { return !entry.letter.empty(); });
    Entry entry{kind, row, column, row, column, "", shown(words, style_)};
    if (!words.empty() && letters < 26) entry.letter = static_cast<char>('a' + letters);
    const auto is_taken = [&] {
        return std::ranges::any_of(entries_, [&](const Entry& other) {
            return other.letter_row == entry.letter_row &&
                   other.letter_column == entry.letter_column;
        });
    };
    while (is_taken() && entry.letter_row + 1 < area_.top + area_.rows) ++entry.letter_row;
    entries_.push_back(std::move(entry));
}

void Key::draw_lines(Canvas& canvas) const {
    for (const Entry& entry : entries_) {
        if (entry.kind == Entry::Kind::rule)
            for (std::size_t row = 0; row < area_.rows; ++row)
                canvas.put(area_.top + row, entry.column, style_.is_ascii ? ":" : "┊", dimmed);
        if (entry.kind == Entry::Kind::level)
            for (std::size_t column = 0; column < area_.columns; ++column)
                canvas.put(entry.row, area_.left + column, style_.is_ascii ? "-" : "┄", dimmed);
    }
}

void Key::draw_letters(Canvas& canvas) const {
    for (const Entry& entry : entries_)
        canvas.put(entry.letter_row, entry.letter_column, entry.letter, in_bold);
}

void Key::explain(Canvas& canvas) const {
    for (const Entry& entry : entries_) {
        if (entry.letter.empty()) continue;
        bool is_first = true;
        const std::size_t room = canvas.width() - std::min<std::size_t>(canvas.width(), 4);
        for (const std::string& line : wrapped_to_cells(entry.words, room)) {
            const std::size_t row = canvas.height();
            if (is_first) canvas.put(row, 1, entry.letter, in_bold);
            canvas.put(row, 4, line);
            is_first = false;
        }
    }
}

void draw_zones(Canvas& canvas, std::size_t row, const Panel& panel, const PlotArea& area,
                const TerminalStyle& style) {
    for (const Zone& zone : panel.zones) {
        const auto place = [&](double x) {
            return area.left + cell_of(std::max(0.0, area.frame.x(x)), dots_across, area.columns);
        };
        const std::size_t first = place(zone.first), last = place(zone.last);
        const std::string label = shown(zone.label, style);
        const std::size_t width = last - first, cells = cells_of(label);
        if (width < 2) continue;
        for (std::size_t k = 0; k < width; ++k)
            canvas.put(row, first + k, style.is_ascii ? "-" : "─", dimmed);
        canvas.put(row, first, style.is_ascii ? "|" : "├", dimmed);
        if (cells + 2 <= width) canvas.put(row, first + (width - cells + 1) / 2, label);
    }
}

}  // namespace rope::plots
