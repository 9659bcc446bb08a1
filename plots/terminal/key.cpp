#include "plots/terminal/key.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plots/parts/text.hpp"
#include "plots/terminal/panel_text.hpp"

namespace rope::plots {
namespace {

// Braille dots 1, 2, 3, 7 on the left and 4, 5, 6, 8 on the right (Unicode 15, U+2800).
constexpr std::uint8_t dot_bits[dots_across][dots_down] = {{0x01, 0x02, 0x04, 0x40},
                                                           {0x08, 0x10, 0x20, 0x80}};

}  // namespace

void DotGrid::dot(double px, double py, int series) {
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

void DotGrid::line(double x0, double y0, double x1, double y1, int series) {
    const double length = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
    const int steps = std::max(1, static_cast<int>(std::ceil(length)));
    for (int k = 0; k <= steps; ++k) {
        const double share = static_cast<double>(k) / steps;
        dot(x0 + share * (x1 - x0), y0 + share * (y1 - y0), series);
    }
}

void DotGrid::draw_run(const Run& run, bool has_mean, int series) {
    for (const Column& column : run)
        if (column.low != column.high) line(column.x, column.low, column.x, column.high, series);
    if (!has_mean) return;
    dot(run.front().x, run.front().mean, series);
    for (std::size_t k = 1; k < run.size(); ++k)
        line(run[k - 1].x, run[k - 1].mean, run[k].x, run[k].mean, series);
}

void DotGrid::draw(const DrawnSeries& drawn, int series, bool dots_are_seen) {
    for (const Run& run : drawn.runs) draw_run(run, drawn.series->mark != Mark::band, series);
    const int size = dots_are_seen && drawn.series->points() <= few_dots ? 2 : 1;
    for (const Dot& each : drawn.dots)
        for (int across = 0; across < size; ++across)
            for (int down = 0; down < size; ++down) dot(each.px + across, each.py + down, series);
}

std::string DotGrid::braille_at(std::size_t row, std::size_t column) const {
    const unsigned bits = bits_[row * columns_ + column];  // U+2800 + bits
    return {static_cast<char>(0xe2), static_cast<char>(0xa0u | bits >> 6),
            static_cast<char>(0x80u | (bits & 0x3fu))};
}

namespace {

std::size_t cell_of(double pixel, std::size_t dots, std::size_t cells) {
    const double cell = std::max(0.0, pixel) / static_cast<double>(dots);
    return std::min(static_cast<std::size_t>(cell), cells - 1);
}

}  // namespace

std::size_t PlotArea::column_of(double x) const {
    return left + cell_of(frame.x(x), dots_across, columns);
}
std::size_t PlotArea::column_of(const Edge& edge) const {
    return left + cell_of(edge.px, dots_across, columns);
}
std::size_t PlotArea::row_of(double y) const { return top + cell_of(frame.y(y), dots_down, rows); }

Key::Key(const Panel& panel, const PlotArea& area, std::span<const DrawnSeries> drawn,
         const TerminalStyle& style)
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
    for (const DrawnSeries& each : drawn)
        for (const bool is_above : {true, false}) {
            const auto first = std::ranges::find(each.edges, is_above, &Edge::is_above);
            if (first == each.edges.end()) continue;
            add(marker, area.row_of(*first), area.column_of(*first),
                edge_words(panel, *each.series, is_above));
        }
}

// Entries without words, and those after the 26th, have no letter. If the cell is taken, the letter
// is put below it.
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
        const double room = static_cast<double>(canvas.width()) - 4;
        for (const std::string& line : wrapped(entry.words, room, terminal_font, unlimited)) {
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
