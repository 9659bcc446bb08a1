#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/stored.hpp"
#include "plots/terminal/figure_text.hpp"
#include "rope/specs.hpp"

namespace rope::plots::terminal_test {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    }
    lines.pop_back();
    return lines;
}

std::string without_escapes(const std::string& text) {
    std::string plain;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] == '\x1b')
            k = text.find('m', k);
        else
            plain += text[k];
    }
    return plain;
}

std::size_t widest(const std::string& text) {
    std::size_t cells = 0;
    for (const std::string& line : lines_of(without_escapes(text)))
        cells = std::max(cells, cells_of(line));
    return cells;
}

// A long name, wide characters and control characters.
Figure hostile() {
    Figure figure = example_figure();
    figure.title = std::string(300, 'W') + " 漢字漢字漢字 \x1b[31m\x07";
    figure.panels[0].subtitle = figure.panels[0].x.label = figure.title;
    figure.panels[0].series[0].label = figure.title;
    if (!figure.panels[0].y.ticks.empty()) figure.panels[0].y.ticks[0].label = figure.title;
    return figure;
}

std::vector<Figure> figures() {
    const std::vector<NamedSpec> specs = base_and_scaled(spec_of(128, 1e4));
    return {example_figure(), hostile(), comparison_figure(specs, 0, 4096)};
}

TEST(TerminalFigure, IsNoWiderThanTheTerminal) {
    for (const Figure& figure : figures())
        for (const std::size_t width : {40U, 57U, 80U, 200U})
            for (const bool has_colors : {false, true}) {
                const std::string text = to_text(figure, {width, has_colors});
                EXPECT_LE(widest(text), width) << figure.title;
                EXPECT_GE(lines_of(text).size(), 15U);
                EXPECT_EQ(text.find('\x1b') == text.npos, !has_colors);
                EXPECT_EQ(text.find('\x07'), text.npos);
            }
}

TEST(TerminalFigure, UsesTheWholeWidth) {
    const Figure figure = comparison_figure(base_and_scaled(spec_of(128, 1e4)), 0, 4096);
    for (const std::size_t width : {40U, 80U, 200U})
        EXPECT_GE(widest(to_text(figure, {.width = width})), width - 1);
}

// One curve on an axis from 0 to 1, 80 cells wide.
Figure curve(double (*f)(double)) {
    Series series{"f", Mark::path, 0};
    for (int k = 0; k <= 1000; ++k) {
        series.x.push_back(k / 1000.0);
        series.y.push_back(f(k / 1000.0));
    }
    Figure figure;
    Panel& panel = figure.panels.emplace_back();
    panel.x = {"x", Scale::linear, 0, 1, {}};
    panel.y = {"y", Scale::linear, 0, 1, {}};
    panel.series = {series};
    return figure;
}

struct Cell {
    std::size_t row, column;  // of the plot area
};
// By column: the row from the top with a dot in its glyph.
std::vector<Cell> drawn_cells(const std::string& text, const std::string& axis) {
    std::vector<Cell> cells;
    std::size_t row = 0;
    for (const std::string& line : lines_of(text)) {
        if (!line.starts_with(axis)) continue;
        std::size_t column = 0;
        for (std::size_t k = axis.size(); k < line.size(); ++column) {
            if (line[k] != ' ') cells.push_back({row, column});
            k += line[k] == ' ' ? 1 : 3;
        }
        ++row;
    }
    return cells;
}

TEST(TerminalFigure, HasTheExtremeWhereTheNumbersHaveIt) {
    const Figure figure =
        curve([](double x) { return 0.9 - 1.6 * (x - 0.3) * (x - 0.3); });  // 0.9 at x = 0.3
    const std::string text = to_text(figure, {.width = 80});
    const std::vector<Cell> cells = drawn_cells(text, "│");
    ASSERT_FALSE(cells.empty()) << text;
    const std::size_t columns = 79, rows = 16;
    const std::size_t top = std::ranges::min_element(cells, {}, &Cell::row)->row;
    EXPECT_EQ(top, static_cast<std::size_t>(0.1 * rows));
    double sum = 0, count = 0;
    for (const Cell& cell : cells)
        if (cell.row == top) {
            sum += static_cast<double>(cell.column);
            ++count;
        }
    EXPECT_NEAR(sum / count, 0.3 * columns, 1);
    // and every other column is as high as the curve there
    for (std::size_t column = 0; column < columns; ++column) {
        const double x = (static_cast<double>(column) + 0.5) / columns;
        const double y = figure.panels[0].series[0].y[static_cast<std::size_t>(x * 1000)];
        double nearest = 1e9;
        for (const Cell& cell : cells)
            if (cell.column == column)
                nearest = std::min(nearest,
                                   std::abs(static_cast<double>(cell.row) + 0.5 - (1 - y) * rows));
        EXPECT_LE(nearest, 1) << column;
    }
}

TEST(TerminalFigure, IsBrailleOfSingleDots) {
    // a flat line at the very top is dots 1 and 4: U+2809
    const std::string text = to_text(curve([](double) { return 1.0; }), {.width = 40});
    EXPECT_NE(text.find("│⠉⠉⠉⠉"), std::string::npos) << text;
    const std::string low = to_text(curve([](double) { return 0.0; }), {.width = 40});
    EXPECT_NE(low.find("│⣀⣀⣀⣀"), std::string::npos) << low;
}

TEST(TerminalFigure, GivesEachSeriesItsMarkWithoutColours) {
    Figure figure = curve([](double) { return 0.8; });
    figure.panels[0].series.push_back(curve([](double) { return 0.2; }).panels[0].series[0]);
    figure.panels[0].series[1].label = "g";
    figure.panels[0].series[1].color = 1;
    const std::string plain = to_text(figure, {.width = 40});
    EXPECT_NE(plain.find("●  f  +  g"), std::string::npos) << plain;
    EXPECT_NE(plain.find("│●●●●"), std::string::npos);
    EXPECT_NE(plain.find("│++++"), std::string::npos);
    const std::string coloured = to_text(figure, {.width = 40, .has_colors = true});
    EXPECT_NE(coloured.find("38;5;32m⠒⠒"), std::string::npos) << coloured;
    EXPECT_NE(coloured.find("38;5;166m⠒⠒"), std::string::npos);
}

TEST(TerminalFigure, ExplainsItsLetters) {
    Figure figure = curve([](double x) { return x; });
    Panel& panel = figure.panels[0];
    panel.rules = {{0.5, "half"}};
    panel.levels = {{0.25, "a quarter"}, {0.125, ""}};
    panel.markers = {{0.75, 0.75, "witness"}, {9, 9, "outside"}};
    const std::string text = to_text(figure, {.width = 80});
    EXPECT_NE(text.find("\n a  witness\n b  half\n c  a quarter\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("outside"), std::string::npos);
    panel.rules.push_back({0.5, "half again"});
    const std::string twice = to_text(figure, {.width = 80});
    const std::vector<std::string> lines = lines_of(twice);
    const auto has = [&](const char* letter) {
        return [letter](const std::string& line) {
            return line.starts_with("│") && line.find(letter) != line.npos;
        };
    };
    EXPECT_TRUE(std::ranges::any_of(lines, has("a"))) << twice;
    EXPECT_TRUE(std::ranges::any_of(lines, has("b"))) << twice;
}

// If two rings are at one place or have one label, the second letter was a row below; a tick at 0.6
// of 16 rows was a row too high.
TEST(TerminalFigure, HasALetterForEachPlaceAndTicksInTheirRows) {
    Figure figure = example_figure();
    figure.panels.resize(1);
    Panel& panel = figure.panels[0];
    panel.rules.clear();
    panel.markers = {{4, 0, "0.931"}, {4, 0, "0.931"}};
    EXPECT_EQ(to_text(figure, {.width = 80}).find("b  0.931"), std::string::npos);
    panel.markers = {{4, 0, "0.931"}, {4, 0, "0.932"}, {6, 0.5, "0.931"}};
    const std::string shared = to_text(figure, {.width = 80});
    EXPECT_NE(shared.find("\n a  0.931, 0.932\n"), std::string::npos) << shared;
    panel.markers = {{4, 0, "0.931"}, {6, 0.5, "0.931"}, {7, 0.5, "0.9"}};
    const std::string same = to_text(figure, {.width = 80});
    EXPECT_NE(same.find("\n a  0.931\n b  0.9\n"), std::string::npos) << same;
    panel.rules = {{4, "n = 4"}};  // its letter is on its line, also at a ring
    panel.markers = {{4, 1, "1"}};
    const std::string both = to_text(figure, {.width = 80});
    EXPECT_NE(both.find("\n a  1\n b  n = 4\n"), std::string::npos) << both;
    panel.rules.clear();
    panel.markers.clear();
    panel.y = {"y", Scale::linear, -0.6, 1, {}};
    for (int k = -3; k <= 5; ++k) panel.y.ticks.push_back({0.2 * k, std::to_string(k)});
    std::vector<std::size_t> rows;
    const std::vector<std::string> lines = lines_of(to_text(figure, {.width = 80}));
    for (std::size_t row = 0; row < lines.size(); ++row)
        if (lines[row].find("┤") != std::string::npos) rows.push_back(row - rows.size());
    ASSERT_EQ(rows.size(), 9U);
    for (std::size_t k = 2; k + 1 < rows.size(); ++k)  // every second row
        EXPECT_EQ(rows[k] - rows[k - 1], 1U) << k;
}

TEST(TerminalWords, CountCells) {
    EXPECT_EQ(cells_of("B̂(s)"), 4U);
    EXPECT_EQ(cells_of("漢字"), 4U);
    EXPECT_EQ(cells_of("10⁻³"), 4U);
}

TEST(TerminalWords, BreakAtSpacesElseAnywhere) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(wrapped("one two three", 8, terminal_font), (Lines{"one two", "three"}));
    EXPECT_EQ(wrapped("abcdefghij", 4, terminal_font), (Lines{"abcd", "efgh", "ij"}));
    EXPECT_EQ(wrapped("漢字漢字", 5, terminal_font), (Lines{"漢字", "漢字"}));
    EXPECT_EQ(wrapped("abcdefghij", 5, terminal_font, 1), Lines{"abcd…"});
}

}  // namespace rope::plots::terminal_test
