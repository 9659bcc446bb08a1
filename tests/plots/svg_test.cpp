#include "plots/svg/svg.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "plots/stored.hpp"
#include "plots/svg/ink.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/raster.hpp"

namespace rope::plots::svg_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string golden(const std::string& name) {
    std::ifstream file(ROPE_CHECK_TESTS "/golden/plots/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// If the texts differ, the new one is in the working folder, to be inspected and then moved.
void expect_golden(const std::string& name, const std::string& text) {
    if (text == golden(name)) return;
    std::ofstream(name, std::ios::binary) << text;
    ADD_FAILURE() << name << " differs from tests/golden/plots/" << name;
}

Figure with_series(const Series& series) {
    Figure figure = example_figure();
    figure.panels.resize(1);
    figure.panels[0].series = {series};
    return figure;
}

TEST(Svg, IsTheGoldenFile) { expect_golden("one_of_everything.svg", to_svg(example_figure())); }
TEST(Csv, IsTheGoldenFile) { expect_golden("one_of_everything.csv", to_csv(example_figure())); }

TEST(Svg, EscapesHostileTextEverywhere) {
    const std::string hostile = "</svg><script a='1' b=\"2\">&amp;\x01\n\xff";
    Figure figure = example_figure();
    figure.title = figure.subtitle = figure.description = hostile;
    figure.version = figure.command = hostile;
    figure.notes = {hostile};
    figure.parameters = {{hostile, hostile}};
    for (Panel& panel : figure.panels) {
        panel.title = panel.subtitle = panel.x.label = panel.y.label = hostile;
        for (Series& series : panel.series) series.label = hostile;
        for (Tick& tick : panel.x.ticks) tick.label = hostile;
        for (Tick& rule : panel.rules) rule.label = hostile;
        for (Marker& marker : panel.markers) marker.tag = hostile;
    }
    const std::string svg = to_svg(figure);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find("b=\"2\""), std::string::npos);
    EXPECT_EQ(svg.find("&amp;\\x01"), std::string::npos);
    EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

TEST(Svg, DrawsNothingThatIsNotFinite) {
    for (const Mark mark : {Mark::line, Mark::band, Mark::dots, Mark::guide}) {
        Figure figure =
            with_series({"s", mark, 0, {0, 1, 2, 3, 4}, {nan, 0.5, infinity, -infinity, nan}});
        figure.panels[0].rules = {{nan, "n"}};
        figure.panels[0].markers = {{1, nan, "R1"}, {infinity, 0, "R2"}};
        const std::string svg = to_svg(figure);
        EXPECT_EQ(svg.find("nan"), svg.npos);
        EXPECT_EQ(svg.find("inf"), svg.npos);
    }
}

// relative luminance, WCAG 2.2
double luminance(const std::string& color) {
    const std::string full =
        color.size() == 7 ? color.substr(1)
                          : std::string{color[1], color[1], color[2], color[2], color[3], color[3]};
    const auto linear = [&](std::size_t at) {
        const double part = std::stoi(full.substr(at, 2), nullptr, 16) / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(0) + 0.7152 * linear(2) + 0.0722 * linear(4);
}

double contrast(const std::string& a, const std::string& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

// the colour of "rc-fill-tint1" on a dark page, by the style sheet
std::string dark_color(const std::string& name) {
    const std::string style = dark_style();
    const std::size_t at = style.find('#', style.find("." + name + "{"));
    return style.substr(at, style.find('}', at) - at);
}

// on a dark page the grid had the tints' luminance
TEST(Svg, ShowsTheGridAndTextOnEveryTintOfADarkPage) {
    const std::string paper = dark_color("rc-fill-paper");
    for (const std::string tint : {"tint0", "tint1", "tint2", "tint3"}) {
        const std::string ground = dark_color("rc-fill-" + tint);
        EXPECT_GE(contrast(dark_color("rc-stroke-grid"), ground), 1.25) << tint;
        EXPECT_GE(contrast(dark_color("rc-fill-muted"), ground), 4.5) << tint;
        for (int k = 0; k < palette_colors; ++k)
            EXPECT_GE(contrast(dark_color("rc-stroke-series" + std::to_string(k)), ground), 4.5);
        EXPECT_GE(contrast(ground, paper), tint == "tint0" ? 1 : 1.12) << tint;
    }
}

// at least 1.5 pixels each, 97 intervals were drawn two and a half times as wide as they are
TEST(Svg, DrawsZonesAsWideAsTheyAre) {
    Figure figure = with_series({"", Mark::path, 0, {0, 8}, {0, 1}});
    figure.panels[0].zones = {{4, 4.01, "", 2}, {20, 30, "", 1}};
    const std::string svg = to_svg(figure);
    EXPECT_NE(svg.find("rect x=\"145\" width=\"0.36\""), svg.npos) << svg;
    EXPECT_NE(svg.find("width=\"0\""), svg.npos) << "of the one outside";
}

// eight areas at opacity 0.3 merged into one grey area
TEST(Svg, DrawsBandsOfManySeriesThinner) {
    for (const auto& [count, want] : {std::pair{1, ".3"}, {3, ".3"}, {6, ".15"}, {9, ".1"}}) {
        Figure figure = with_series({"s", Mark::band, 0, {1, 1, 1}, {0, 0.5, 1}});
        figure.panels[0].series.resize(static_cast<std::size_t>(count), figure.panels[0].series[0]);
        const std::string svg = to_svg(figure);
        EXPECT_NE(svg.find(std::string("fill-opacity=\"") + want + "\""), svg.npos) << count;
    }
}

TEST(Svg, DrawsEmptyAndOnePointSeries) {
    for (const Mark mark : {Mark::line, Mark::band, Mark::dots, Mark::guide})
        EXPECT_TRUE(to_svg(with_series({"s", mark})).ends_with("</svg>\n"));
    const std::string one_point = to_svg(with_series({"s", Mark::line, 0, {2}, {0}}));
    EXPECT_NE(one_point.find("d=\"M72.5 100h0\""), std::string::npos);  // seen, as a round dot
}

TEST(Svg, DrawsAxesOfNoLengthAndValuesFarOutside) {
    Figure figure = with_series({"s", Mark::line, 0, {0, 1, 2}, {1e300, -1e300, 0}});
    EXPECT_NE(to_svg(figure).find("d=\"M0 -10000l36.25 20000 36.25 -9900\""), std::string::npos);
    figure.panels[0].x.last = figure.panels[0].x.first;
    figure.panels[0].y.last = figure.panels[0].y.first;
    EXPECT_TRUE(to_svg(figure).ends_with("</svg>\n"));
    EXPECT_TRUE(to_svg(Figure{}).ends_with("</svg>\n"));
}

TEST(Svg, OmitsValuesThatAreNotPositiveFromALogAxis) {
    Figure figure = with_series({"s", Mark::dots, 0, {-1, 0, 1, 2}, {0, 0, 0, 0}});
    figure.panels[0].x = {"s", Scale::log2, 1, 4, {}};
    EXPECT_NE(to_svg(figure).find("d=\"M0 100h0M145 100h0\""), std::string::npos);
}

// chatglm-fp16 had a legend and no line
TEST(Svg, DrawsValuesBeyondTheAxisAtItsEdge) {
    Figure figure = with_series({"s", Mark::line, 0, {0, 1, 2, 3, 4}, {0.5, infinity, nan, 9, 0}});
    const Panel& panel = figure.panels[0];
    const Frame frame(panel, lay_out(figure).boxes[0]);
    const std::vector<Edge> edges = drawn_series(panel, frame)[0].edges;
    ASSERT_EQ(edges.size(), 2U);  // at 1 and 3; NaN is a gap
    EXPECT_EQ(edges[0].px, frame.x(1));
    EXPECT_EQ(edges[1].px, frame.x(3));
    EXPECT_TRUE(edges[0].is_above && edges[1].is_above);
    EXPECT_NE(to_svg(figure).find(">not finite</text>"), std::string::npos);
    figure.panels[0].y = {"y", Scale::log2, 0.25, 16, {}};
    EXPECT_NE(to_svg(figure).find(">0</text>"), std::string::npos);
}

TEST(Svg, GivesMarkersThatCoincideOneTag) {
    Figure figure = with_series({"s", Mark::line, 0, {0, 8}, {0, 0}});
    figure.panels[0].markers = {{4, 0.5, "a"}, {4.01, 0.5, "b"}, {7, 0, "c"}, {7, 0, "c"}};
    const std::string svg = to_svg(figure);
    EXPECT_NE(svg.find(">a, b</text>"), std::string::npos);
    EXPECT_NE(svg.find(">c</text>"), std::string::npos);
}

// Four configs took 3,969 pixels, eight took 2,800; on a telephone, letters had 4.7 pixels.
TEST(Svg, LaysManyPanelsOutAsSmallMultiples) {
    Figure figure = example_figure();
    const Panel panel = figure.panels[0];
    for (const int columns : {1, 2})
        for (const std::size_t panels : {1U, 2U, 4U, 8U, 16U, 32U}) {
            figure.columns = columns;
            figure.panels.assign(panels, panel);
            const Layout layout = lay_out(figure);
            EXPECT_LT(layout.height, panels <= 8 ? 1400 : panels <= 16 ? 2000 : 4000) << panels;
            EXPECT_GT(12 * 390 / layout.width, 6);  // pixels of a tick's label
            EXPECT_EQ(layout.boxes.size(), panels);
        }
}

TEST(Svg, DashesTheColoursThatComeAgain) {
    Figure figure = with_series({"first", Mark::line, 0, {0, 8}, {0, 1}});
    figure.panels[0].rules.clear();
    figure.panels[0].series.push_back({"last", Mark::line, palette_colors - 1, {0, 8}, {0, 1}});
    EXPECT_EQ(count_of(to_svg(figure), "stroke-dasharray"), 0U);
    figure.panels[0].series.push_back({"again", Mark::line, palette_colors, {0, 8}, {0, 1}});
    EXPECT_EQ(count_of(to_svg(figure), "stroke-dasharray"), 2U);  // curve and legend
    std::set<std::string> looks;
    for (int color = 0; color < 24; ++color)
        looks.insert(stroked(color) + std::string(dashes(color)));
    EXPECT_EQ(looks.size(), 24U);
}

TEST(Svg, TurnsEveryColourDarkWhereTheReaderPrefersThat) {
    const std::string svg = to_svg(example_figure());
    const auto style = svg.find("<style>@media (prefers-color-scheme:dark){");
    ASSERT_NE(style, svg.npos);
    const std::string rules = svg.substr(style, svg.find("</style>", style) - style);
    std::size_t classes = 0;
    for (auto at = svg.find("class=\""); at != svg.npos; at = svg.find("class=\"", at + 1)) {
        const std::string name = svg.substr(at + 7, svg.find('"', at + 7) - at - 7);
        EXPECT_NE(rules.find("." + name + "{"), rules.npos) << name;
        ++classes;
    }
    EXPECT_GE(classes, 50U);
    // and nothing has a colour that ignores the theme
    EXPECT_EQ(count_of(svg, "=\"#"), classes);
}

// A line of one point has no length.
TEST(Svg, DrawsASinglePointAsADotWithAnyMark) {
    for (const Mark mark : {Mark::line, Mark::path, Mark::band}) {
        const std::string dot = to_svg(with_series({"one", Mark::dots, 0, {5}, {3}}));
        EXPECT_EQ(to_svg(with_series({"one", mark, 0, {5}, {3}})), dot);
        EXPECT_NE(to_svg(with_series({"one", mark, 0, {5, 6}, {3, 3}})), dot);
    }
}

// The line was as wide as the longer line that it belonged to.
TEST(Svg, DrawsAPointBetweenGapsAsALargeDot) {
    for (const Mark mark : {Mark::line, Mark::path}) {
        const std::string alone =
            to_svg(with_series({"s", mark, 0, {0, 1, 2, 3, 4, 5}, {0, 1, nan, 0.5, nan, 1}}));
        EXPECT_NE(alone.find("stroke-width=\"4.2\" d=\"M108.75 50h0M181.25 0h0\""), alone.npos)
            << alone;
        const std::string joined =
            to_svg(with_series({"s", mark, 0, {0, 1, 2, 3, 4, 5}, {0, 1, nan, 0.5, 1, 1}}));
        EXPECT_EQ(count_of(joined, "stroke-width=\"4.2\""), 0U);
    }
}

// "1,000,003" was 14 pixels beyond its axis.
TEST(Svg, HasTickLabelsBelowTheirAxis) {
    Figure figure = example_figure();
    figure.panels.resize(1);
    figure.panels[0].x.ticks = {{0, "zero"}, {4, "middle"}, {8, "1,048,576"}};
    const Box box = lay_out(figure).boxes[0];
    std::map<std::string, Rect> rooms;
    for (const auto& [text, room] : TextBoxes::of(to_svg(figure))) rooms[text] = room;
    const Rect middle = rooms.at("middle");
    EXPECT_NEAR(middle.left + middle.width / 2, box.left + box.width / 2, 0.1);
    EXPECT_NEAR(rooms.at("1,048,576").right(), box.left + box.width + 10, 0.1);
}

TEST(Svg, WrapsALongLegend) {
    Figure figure = example_figure();
    const Series series = figure.panels[1].series[0];
    figure.panels[1].series.assign(12, series);
    EXPECT_GT(lay_out(figure).boxes[1].head, lay_out(example_figure()).boxes[1].head);
    EXPECT_EQ(lay_out(figure).boxes[0].top, lay_out(figure).boxes[1].top);
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < 4; ++k)
        number = number << 8 | static_cast<std::uint8_t>(bytes[at + k]);
    return number;
}

struct Chunk {
    std::string type, data;
};

// Reads the chunks of a PNG, and checks the sum of each.
std::vector<Chunk> chunks_of(const std::string& png) {
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::vector<Chunk> chunks;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t size = number_at(png, at);
        const std::string body = png.substr(at + 4, 4 + size);
        EXPECT_EQ(
            number_at(png, at + 8 + size),
            crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
        chunks.push_back({body.substr(0, 4), body.substr(4)});
        at += 12 + size;
    }
    return chunks;
}

TEST(Png, ContainsThePicture) {
    const Picture picture{3, 2, {{1, 2, 3}, {4, 5, 6, 7}}, {0, 1, 0, 1, 1, 0}};
    const std::vector<Chunk> chunks = chunks_of(png_of(picture));
    ASSERT_EQ(chunks.size(), 5U);
    EXPECT_EQ(chunks[0].type, "IHDR");
    EXPECT_EQ(number_at(chunks[0].data, 0), 3U);
    EXPECT_EQ(number_at(chunks[0].data, 4), 2U);
    EXPECT_EQ(chunks[0].data.substr(8), std::string("\x08\x03\0\0\0", 5));
    EXPECT_EQ(chunks[1].type, "PLTE");
    EXPECT_EQ(chunks[1].data, "\x01\x02\x03\x04\x05\x06");
    EXPECT_EQ(chunks[2].type, "tRNS");
    EXPECT_EQ(chunks[2].data, "\xff\x07");
    EXPECT_EQ(chunks[3].type, "IDAT");
    std::string rows(100, '?');
    uLongf size = rows.size();
    ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                         reinterpret_cast<const Bytef*>(chunks[3].data.data()),
                         static_cast<uLong>(chunks[3].data.size())),
              Z_OK);
    EXPECT_EQ(rows.substr(0, size), std::string("\0\0\1\0\0\1\1\0", 8));
    EXPECT_EQ(chunks[4].type, "IEND");
}

}  // namespace rope::plots::svg_test
