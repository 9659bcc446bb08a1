#include "plots/terminal/panel_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/printable.hpp"
#include "plots/svg/drawn_series.hpp"
#include "plots/terminal/axes_text.hpp"
#include "plots/terminal/cell_map.hpp"
#include "plots/terminal/dot_grid.hpp"
#include "plots/terminal/key.hpp"
#include "plots/terminal/words.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {
namespace {

// Okabe and Ito's, between their tones on white and on black.
constexpr std::array<Color, palette_colors> inks = {{{0x2f, 0x8f, 0xd0},
                                                     {0xe0, 0x6c, 0x10},
                                                     {0x10, 0xa8, 0x7c},
                                                     {0xcc, 0x79, 0xa7},
                                                     {0xd0, 0x94, 0x10},
                                                     {0x56, 0xb4, 0xe9}}};
constexpr std::array<std::string_view, palette_colors> marks = {"●", "+", "○", "×", "■", "▲"};
constexpr std::array<std::string_view, palette_colors> ascii_marks = {"*", "+", "o", "x", "#", "@"};

Look look_of(const Series& series) {
    const auto color = static_cast<std::size_t>(series.color) % inks.size();
    return {inks[color], {}, series.mark == Mark::guide ? Emphasis::dim : Emphasis::plain};
}

bool is_named(const Series& series) { return series.mark != Mark::guide; }

// Without braille or colours series differ by their marks.
bool has_braille(const Panel& panel, const TerminalStyle& style) {
    return !style.is_ascii && (style.palette != Palette::none || panel.series.size() < 2);
}

std::string_view mark_of(const Panel& panel, std::size_t series, const TerminalStyle& style) {
    if (panel.series[series].mark == Mark::guide) return style.is_ascii ? "." : "·";
    const auto before = std::span(panel.series).first(series);
    const auto number = static_cast<std::size_t>(std::ranges::count_if(before, is_named));
    return (style.is_ascii ? ascii_marks : marks)[number % marks.size()];
}

void add_legend(Canvas& canvas, const Panel& panel, const TerminalStyle& style) {
    if (std::ranges::count_if(panel.series, is_named) < 2) return;
    std::size_t row = canvas.height(), column = 0;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        const Series& series = panel.series[i];
        if (!is_named(series)) continue;
        const std::string_view swatch = !has_braille(panel, style)  ? mark_of(panel, i, style)
                                        : series.mark == Mark::dots ? "⠶⠶"
                                                                    : "⠒⠒";
        const std::string label = cut_to_cells(shown(series.label, style), canvas.width() - 3,
                                               style.is_ascii ? "..." : "…");
        if (column > 0 && column + cells_of(label) + 3 > canvas.width()) {
            ++row;
            column = 0;
        }
        canvas.put(row, column, swatch, look_of(series));
        canvas.put(row, column + 3, label);
        column += cells_of(label) + 5;
    }
}

void draw_curves(Canvas& canvas, const Panel& panel, const PlotArea& area,
                 const TerminalStyle& style) {
    DotGrid grid(area.columns, area.rows);
    const std::vector<DrawnSeries> drawn = drawn_series(panel, area.frame);
    for (const bool is_guide : {true, false})
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if ((panel.series[i].mark == Mark::guide) == is_guide)
                grid.draw(drawn[i], static_cast<int>(i), has_braille(panel, style));
    for (std::size_t row = 0; row < area.rows; ++row)
        for (std::size_t column = 0; column < area.columns; ++column) {
            const int at = grid.series_at(row, column);
            if (at < 0) continue;
            const auto series = static_cast<std::size_t>(at);
            const std::string glyph = has_braille(panel, style)
                                          ? grid.braille_at(row, column)
                                          : std::string(mark_of(panel, series, style));
            canvas.put(area.top + row, area.left + column, glyph, look_of(panel.series[series]));
        }
}

// |error|  ≤ 10⁻⁸ ▒▒▒▒ ≥ 1
void add_scale(Canvas& canvas, const Heatmap& heatmap, const TerminalStyle& style) {
    constexpr std::size_t columns = 16;
    const auto power = [](double x) {
        const long exponent = std::lround(std::log10(x));
        return exponent == 0 ? std::string("1") : "10" + superscript(exponent);
    };
    const std::string before = shown(heatmap.label + "  ≤ " + power(heatmap.low) + " ", style);
    const std::size_t row = canvas.height(), left = cells_of(before);
    canvas.put(row, 0, before);
    draw_shades(canvas, row, left, columns, heatmap, style);
    canvas.put(row, left + columns, shown(" ≥ " + power(heatmap.high), style));
}

std::size_t plot_rows(std::size_t width) { return std::clamp<std::size_t>(width / 5, 10, 18); }

}  // namespace

std::string shown(const std::string& foreign, const TerminalStyle& style) {
    const std::string text = printable(foreign, foreign.size());
    return style.is_ascii ? ascii(text) : text;
}

void add_wrapped(Canvas& canvas, const std::string& foreign, const Look& look,
                 const TerminalStyle& style) {
    for (const std::string& line : wrapped_to_cells(shown(foreign, style), canvas.width()))
        canvas.add_line(line, look);
}

Canvas panel_canvas(const Panel& panel, std::size_t width, const TerminalStyle& style) {
    Canvas canvas(width);
    add_wrapped(canvas, panel.title, in_bold, style);
    add_wrapped(canvas, panel.subtitle, dimmed, style);
    add_legend(canvas, panel, style);
    add_wrapped(canvas, panel.y.label, dimmed, style);
    const std::size_t left = y_axis_cells(panel.y, width, style), columns = width - left;
    const std::size_t rows = plot_rows(width), zones = panel.zones.empty() ? 0 : 1;
    const Box box{
        0, 0, static_cast<double>(columns * dots_across), static_cast<double>(rows * dots_down),
        0, 0};
    const PlotArea area{left, canvas.height() + zones, columns, rows, Frame(panel, box)};
    if (zones > 0) draw_zones(canvas, area.top - 1, panel, area, style);
    const Key key(panel, area, style);
    if (panel.heatmap)
        draw_cells(canvas, area.top, area.left, columns, rows, *panel.heatmap, style);
    key.draw_lines(canvas);
    draw_curves(canvas, panel, area, style);
    key.draw_letters(canvas);
    draw_axes(canvas, panel, area, style);
    if (panel.heatmap) add_scale(canvas, *panel.heatmap, style);
    key.explain(canvas);
    return canvas;
}

}  // namespace rope::plots
