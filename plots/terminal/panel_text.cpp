// A panel in terminal cells: axes and curves. Letters mark rules, levels and markers.

#include <fmt/format.h>

#include <array>

#include "base/printable.hpp"
#include "plots/parts/text.hpp"
#include "plots/svg/layout.hpp"
#include "plots/terminal/figure_text.hpp"

namespace rope::plots {
namespace {

constexpr std::size_t dots_across = 2, dots_down = 4;  // per cell

// Braille dots 1, 2, 3, 7 on the left and 4, 5, 6, 8 on the right (Unicode 15, U+2800).
constexpr std::uint8_t dot_bits[dots_across][dots_down] = {{0x01, 0x02, 0x04, 0x40},
                                                           {0x08, 0x10, 0x20, 0x80}};

// Curves as braille dots.
class DotGrid {
  public:
    DotGrid(std::size_t columns, std::size_t rows)
        : columns_(columns), rows_(rows), bits_(columns * rows), series_(columns * rows, -1) {}

    // `frame` has one pixel per dot. If `dots_are_seen`, the points of a short series have four
    // dots each.
    void draw(const DrawnSeries& drawn, int series, bool dots_are_seen) {
        for (const Run& run : drawn.runs)
            for (std::size_t k = 0; k < run.size(); ++k) {
                const Column &at = run[k], &before = run[k == 0 ? 0 : k - 1];
                if (at.low != at.high) line(at.x, at.low, at.x, at.high, series);
                if (drawn.series->mark != Mark::band)
                    line(before.x, before.mean, at.x, at.mean, series);
            }
        const int size = dots_are_seen && drawn.series->points() <= few_dots ? 2 : 1;
        for (const Dot& each : drawn.dots)
            for (int k = 0; k < size * size; ++k)
                dot(each.px + k / size, each.py + k % size, series);
    }

    // Returns the last series drawn in the cell, or −1.
    int series_at(std::size_t row, std::size_t column) const {
        return series_[row * columns_ + column];
    }
    std::string braille_at(std::size_t row, std::size_t column) const {
        const unsigned bits = bits_[row * columns_ + column];  // U+2800 + bits
        return {static_cast<char>(0xe2), static_cast<char>(0xa0u | bits >> 6),
                static_cast<char>(0x80u | (bits & 0x3fu))};
    }

  private:
    void dot(double px, double py, int series) {
        const auto width = static_cast<double>(columns_ * dots_across);
        const auto height = static_cast<double>(rows_ * dots_down);
        // the end of an axis belongs to its last dot
        if (!(px >= 0 && px <= width && py >= 0 && py <= height)) return;
        const auto x = static_cast<std::size_t>(std::min(px, width - 1));
        const auto y = static_cast<std::size_t>(std::min(py, height - 1));
        const std::size_t cell = y / dots_down * columns_ + x / dots_across;
        bits_[cell] |= dot_bits[x % dots_across][y % dots_down];
        series_[cell] = series;
    }
    void line(double x0, double y0, double x1, double y1, int series) {
        const double length = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
        const int steps = std::max(1, static_cast<int>(std::ceil(length)));
        for (int k = 0; k <= steps; ++k) {
            const double share = static_cast<double>(k) / steps;
            dot(x0 + share * (x1 - x0), y0 + share * (y1 - y0), series);
        }
    }

    std::size_t columns_, rows_;
    std::vector<std::uint8_t> bits_;
    std::vector<int> series_;
};

std::size_t cell_of(double pixel, std::size_t dots, std::size_t cells) {
    constexpr double rounding = 1e-9;  // of a place between two cells
    const double cell = std::max(0.0, pixel) / static_cast<double>(dots) + rounding;
    return std::min(static_cast<std::size_t>(cell), cells - 1);
}

// The plot area of a panel on a canvas.
struct PlotArea {
    std::size_t left, top, columns, rows;  // in cells
    Frame frame;                           // in dots

    bool holds_x(double x) const { return frame.holds(frame.x(x), 0); }
    bool holds_y(double y) const { return frame.holds(0, frame.y(y)); }
    std::size_t column_at(double px) const { return left + cell_of(px, dots_across, columns); }
    std::size_t column_of(double x) const { return column_at(frame.x(x)); }
    std::size_t row_of(double y) const { return top + cell_of(frame.y(y), dots_down, rows); }
    std::size_t row_of(const Edge& edge) const { return edge.is_above ? top : top + rows - 1; }
};

// The nearest of 256 colours to Okabe and Ito's palette, in tones visible on white and on black.
constexpr std::array<int, palette_colors> inks = {32, 166, 36, 175, 172, 74, 131, 102};
constexpr std::array<std::string_view, palette_colors> marks = {"●", "+", "○", "×",
                                                                "■", "▲", "◇", "#"};

Look look_of(const Series& series) {
    const auto color = static_cast<std::size_t>(series.color) % inks.size();
    return (series.mark == Mark::guide ? dimmed : "") + fmt::format(";38;5;{}", inks[color]);
}

bool is_named(const Series& series) { return series.mark != Mark::guide; }

// Without colours, series differ by their marks.
bool has_braille(const Panel& panel, const TerminalStyle& style) {
    return style.has_colors || panel.series.size() < 2;
}

std::string_view mark_of(const Panel& panel, std::size_t series) {
    if (panel.series[series].mark == Mark::guide) return "·";
    const auto before = std::span(panel.series).first(series);
    const auto number = static_cast<std::size_t>(std::ranges::count_if(before, is_named));
    return marks[number % marks.size()];
}

std::string shown(const std::string& foreign) { return printable(foreign, foreign.size()); }

// Returns foreign text as it is shown, or its start and dots.
std::string cut(const std::string& foreign, std::size_t cells) {
    const std::string text = shown(foreign);
    if (cells_of(text) <= cells) return text;
    return wrapped(text, static_cast<double>(cells), terminal_font, 1).front();
}

void add_legend(Canvas& canvas, const Panel& panel) {
    const TerminalStyle& style = canvas.style;
    if (std::ranges::count_if(panel.series, is_named) < 2) return;
    std::size_t row = canvas.height(), column = 0;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        const Series& series = panel.series[i];
        if (!is_named(series)) continue;
        const std::string_view swatch = !has_braille(panel, style) ? mark_of(panel, i)
                                        : series.is_dots()         ? "⠶⠶"
                                                                   : "⠒⠒";
        const std::string label = cut(series.label, style.width - 3);
        if (column > 0 && column + cells_of(label) + 3 > style.width) {
            ++row;
            column = 0;
        }
        canvas.put(row, column, swatch, look_of(series));
        canvas.put(row, column + 3, label);
        column += cells_of(label) + 5;
    }
}

void draw_lines(Canvas& canvas, const Panel& panel, const PlotArea& area) {
    for (const Tick& rule : panel.rules)
        for (std::size_t row = 0; row < area.rows && area.holds_x(rule.value); ++row)
            canvas.put(area.top + row, area.column_of(rule.value), "┊", dimmed);
    for (const Tick& level : panel.levels)
        for (std::size_t column = 0; column < area.columns && area.holds_y(level.value); ++column)
            canvas.put(area.row_of(level.value), area.left + column, "┄", dimmed);
}

// A letter at a rule, level or marker of a plot, explained below it.
struct Letter {
    std::size_t row, column;
    std::string letter, words;  // without words if they are those of an earlier one
};

// At most 26. Those in one cell share a letter, as do those with the same words.
std::vector<Letter> letters_of(const Panel& panel, const PlotArea& area,
                               std::span<const DrawnSeries> drawn) {
    std::vector<Letter> letters;
    const auto at = [&](std::size_t row, std::size_t column) {
        return std::ranges::find_if(letters, [=](const Letter& other) {
            return other.row == row && other.column == column;
        });
    };
    std::size_t count = 0;
    const auto add = [&](std::size_t row, std::size_t column, const std::string& words) {
        const std::string text = shown(words);
        const auto there = at(row, column), same = std::ranges::find(letters, text, &Letter::words);
        if (text.empty() || (count == 26 && there == letters.end())) return;
        if (there != letters.end() && !there->words.empty())
            there->words += there == same ? "" : ", " + text;
        else if (same != letters.end())
            letters.push_back({row, column, same->letter, ""});
        else
            letters.push_back(
                {row, column, std::string(1, static_cast<char>('a' + count++)), text});
    };
    for (const Marker& marker : panel.markers)
        if (area.holds_x(marker.x) && area.holds_y(marker.y))
            add(area.row_of(marker.y), area.column_of(marker.x), marker.tag);
    for (const Tick& rule : panel.rules) {
        std::size_t row = area.top;
        const std::size_t column = area.column_of(rule.value), last = area.top + area.rows - 1;
        while (row < last && at(row, column) != letters.end()) ++row;
        if (area.holds_x(rule.value)) add(row, column, rule.label);
    }
    for (const Tick& level : panel.levels)
        if (area.holds_y(level.value))
            add(area.row_of(level.value), area.left + area.columns - 1, level.label);
    for (const DrawnSeries& each : drawn)
        for (const bool is_above : {true, false}) {
            const auto first = std::ranges::find(each.edges, is_above, &Edge::is_above);
            if (first != each.edges.end())
                add(area.row_of(*first), area.column_at(first->px),
                    edge_words(panel, *each.series, is_above));
        }
    return letters;
}

void explain(Canvas& canvas, std::span<const Letter> letters) {
    const double room = static_cast<double>(canvas.style.width) - 4;
    for (const Letter& each : letters) {
        if (each.words.empty()) continue;
        canvas.put(canvas.height(), 1, each.letter, in_bold);
        std::size_t row = canvas.height() - 1;
        for (const std::string& line : wrapped(each.words, room, terminal_font, unlimited))
            canvas.put(row++, 4, line);
    }
}

void draw_curves(Canvas& canvas, const Panel& panel, const PlotArea& area,
                 std::span<const DrawnSeries> drawn) {
    const bool is_braille = has_braille(panel, canvas.style);
    DotGrid grid(area.columns, area.rows);
    for (const bool is_guide : {true, false})
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if ((panel.series[i].mark == Mark::guide) == is_guide)
                grid.draw(drawn[i], static_cast<int>(i), is_braille);
    for (std::size_t row = 0; row < area.rows; ++row)
        for (std::size_t column = 0; column < area.columns; ++column) {
            const int at = grid.series_at(row, column);
            if (at < 0) continue;
            const auto series = static_cast<std::size_t>(at);
            const std::string glyph =
                is_braille ? grid.braille_at(row, column) : std::string(mark_of(panel, series));
            canvas.put(area.top + row, area.left + column, glyph, look_of(panel.series[series]));
        }
    for (const DrawnSeries& each : drawn)
        for (const Edge& edge : each.edges)
            canvas.put(area.row_of(edge), area.column_at(edge.px), edge.is_above ? "▲" : "▼",
                       look_of(*each.series));
}

void draw_y_axis(Canvas& canvas, const Axis& axis, const PlotArea& area) {
    const std::size_t at = area.left - 1;
    for (std::size_t row = 0; row < area.rows; ++row) canvas.put(area.top + row, at, "│", dimmed);
    std::optional<std::size_t> last;
    for (const Tick& tick : axis.ticks) {
        if (!area.holds_y(tick.value)) continue;
        const std::size_t row = area.row_of(tick.value);
        if (last == row) continue;
        last = row;
        const std::string label = cut(tick.label, at);
        canvas.put(row, at - cells_of(label), label);
        canvas.put(row, at, "┤", dimmed);
    }
}

void draw_x_axis(Canvas& canvas, const Axis& axis, const PlotArea& area) {
    const std::size_t row = area.top + area.rows;
    canvas.put(row, area.left - 1, "└", dimmed);
    for (std::size_t column = 0; column < area.columns; ++column)
        canvas.put(row, area.left + column, "─", dimmed);
    std::size_t free = 0;  // first cell for the next label
    for (const Tick& tick : axis.ticks) {
        if (!area.holds_x(tick.value)) continue;
        const std::size_t column = area.column_of(tick.value);
        const std::string label = shown(tick.label);
        const std::size_t cells = cells_of(label);
        canvas.put(row, column, "┬", dimmed);
        if (cells > canvas.style.width) continue;
        const std::size_t first =
            std::min(column - std::min(column, cells / 2), canvas.style.width - cells);
        if (first < free) continue;
        canvas.put(row + 1, first, label);
        free = first + cells + 1;
    }
    const std::string label = cut(axis.label, area.columns);
    canvas.put(row + 2, area.left + (area.columns - cells_of(label)) / 2, label, dimmed);
}

// The cells of the y axis and its labels.
std::size_t y_axis_cells(const Axis& axis, std::size_t width) {
    std::size_t widest = 0;
    for (const Tick& tick : axis.ticks) widest = std::max(widest, cells_of(shown(tick.label)));
    return std::min(widest, width / 3) + 1;
}

}  // namespace

Canvas panel_canvas(const Panel& panel, const TerminalStyle& style) {
    Canvas canvas(style);
    canvas.add_wrapped(panel.title, in_bold);
    canvas.add_wrapped(panel.subtitle, dimmed);
    add_legend(canvas, panel);
    canvas.add_wrapped(panel.y.label, dimmed);
    const std::size_t left = y_axis_cells(panel.y, style.width), columns = style.width - left;
    const std::size_t rows = std::clamp<std::size_t>(style.width / 5, 10, 18);
    const Box box{
        0, 0, static_cast<double>(columns * dots_across), static_cast<double>(rows * dots_down),
        0, 0};
    const PlotArea area{left, canvas.height(), columns, rows, Frame(panel, box)};
    const std::vector<DrawnSeries> drawn = drawn_series(panel, area.frame);
    const std::vector<Letter> letters = letters_of(panel, area, drawn);
    draw_lines(canvas, panel, area);
    draw_curves(canvas, panel, area, drawn);
    for (const Letter& each : letters) canvas.put(each.row, each.column, each.letter, in_bold);
    draw_y_axis(canvas, panel.y, area);
    draw_x_axis(canvas, panel.x, area);
    explain(canvas, letters);
    return canvas;
}

}  // namespace rope::plots
