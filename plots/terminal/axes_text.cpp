#include "plots/terminal/axes_text.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "plots/terminal/panel_text.hpp"
#include "plots/terminal/words.hpp"

namespace rope::plots {
namespace {

struct Strokes {
    const char *vertical, *horizontal, *corner, *y_tick, *x_tick;
};
constexpr Strokes drawn{"│", "─", "└", "┤", "┬"}, typed{"|", "-", "+", "+", "+"};

void draw_y_axis(Canvas& canvas, const Axis& axis, const PlotArea& area, const Strokes& strokes,
                 const TerminalStyle& style) {
    const std::size_t at = area.left - 1;
    for (std::size_t row = 0; row < area.rows; ++row)
        canvas.put(area.top + row, at, strokes.vertical, dimmed);
    std::optional<std::size_t> last;
    for (const Tick& tick : axis.ticks) {
        if (!area.holds_y(tick.value)) continue;
        const std::size_t row = area.row_of(tick.value);
        if (last == row) continue;
        last = row;
        const std::string label = cut_to_cells(shown(tick.label, style), at, "");
        canvas.put(row, at - cells_of(label), label);
        canvas.put(row, at, strokes.y_tick, dimmed);
    }
}

void draw_x_axis(Canvas& canvas, const Axis& axis, const PlotArea& area, const Strokes& strokes,
                 const TerminalStyle& style) {
    const std::size_t row = area.top + area.rows;
    canvas.put(row, area.left - 1, strokes.corner, dimmed);
    for (std::size_t column = 0; column < area.columns; ++column)
        canvas.put(row, area.left + column, strokes.horizontal, dimmed);
    std::size_t free = 0;  // the first cell that the next label may take
    for (const Tick& tick : axis.ticks) {
        if (!area.holds_x(tick.value)) continue;
        const std::size_t column = area.column_of(tick.value);
        const std::string label = shown(tick.label, style);
        const std::size_t cells = cells_of(label);
        canvas.put(row, column, strokes.x_tick, dimmed);
        if (cells > canvas.width()) continue;
        const std::size_t first =
            std::min(column - std::min(column, cells / 2), canvas.width() - cells);
        if (first < free) continue;
        canvas.put(row + 1, first, label);
        free = first + cells + 1;
    }
    const std::string label =
        cut_to_cells(shown(axis.label, style), area.columns, style.is_ascii ? "..." : "…");
    canvas.put(row + 2, area.left + (area.columns - cells_of(label)) / 2, label, dimmed);
}

}  // namespace

std::size_t y_axis_cells(const Axis& axis, std::size_t width, const TerminalStyle& style) {
    std::size_t widest = 0;
    for (const Tick& tick : axis.ticks)
        widest = std::max(widest, cells_of(shown(tick.label, style)));
    return std::min(widest, width / 3) + 1;
}

void draw_axes(Canvas& canvas, const Panel& panel, const PlotArea& area,
               const TerminalStyle& style) {
    const Strokes& strokes = style.is_ascii ? typed : drawn;
    draw_y_axis(canvas, panel.y, area, strokes, style);
    draw_x_axis(canvas, panel.x, area, strokes, style);
}

}  // namespace rope::plots
