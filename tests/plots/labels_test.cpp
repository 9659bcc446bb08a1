#include "plots/svg/labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"
#include "plots/svg/ink.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/svg.hpp"
#include "rope/specs.hpp"

namespace rope::plots::labels_test {

Label at(std::vector<Spot> spots) { return {.text = "label", .spots = std::move(spots)}; }

DrawnSeries curve(const Series& series, std::vector<Column> columns) {
    return {&series, {columns}, {}};
}

TEST(Labels, TakeTheFirstSpotOfABareGround) {
    const auto placed = Ground(200, 100).place(std::vector{at({{50, 50}, {90, 50}})});
    ASSERT_EQ(placed.size(), 1U);
    EXPECT_EQ(placed[0].spot.x, 50);
}

TEST(Labels, KeepOffCurvesLinesAndEachOther) {
    const Series series;
    Ground ground(200, 100);
    // a curve from (0, 46) to (80, 46)
    ground.add(curve(series, {{0, 46, 46, 46, 1, 0, 0}, {80, 46, 46, 46, 1, 0, 0}}));
    ground.add_vertical(110);
    const std::vector<Spot> spots = {{20, 50}, {100, 50}, {140, 50}, {140, 90}};
    const auto placed = ground.place(std::vector{at(spots), at(spots)});
    ASSERT_EQ(placed.size(), 2U);
    EXPECT_EQ(placed[0].spot.x, 140);
    EXPECT_EQ(placed[1].spot.y, 90);
}

// "against the fit: not finite" was drawn over the line "what rounding allows"
TEST(Labels, DoNotCoverADashedLine) {
    Ground ground(200, 100);
    ground.add_horizontal(54);
    EXPECT_EQ(ground.place(std::vector{at({{20, 50}, {20, 90, Anchor::start, 9}})}, 7)[0].spot.y,
              90);
    EXPECT_EQ(ground.place(std::vector{at({{20, 47}, {20, 90, Anchor::start, 9}})})[0].spot.y, 47);
}

// the background of a label hid a dot
TEST(Labels, HaveBackgroundsBelowFewDots) {
    Figure figure;
    figure.panels.resize(1);
    Panel& panel = figure.panels[0];
    panel.x = {"x", Scale::linear, 0, 8, {}};
    panel.y = {"y", Scale::linear, 0, 8, {}};
    panel.series = {{"", Mark::dots, 3, {1, 2, 4}, {1, 2, 3}}};
    panel.markers = {{4, 4, "tag"}};
    const std::string svg = to_svg(figure);
    EXPECT_LT(svg.find("fill-opacity=\".82\""), svg.find(stroked(3)));
    panel.series[0].x.assign(few_dots + 1, 4);
    panel.series[0].y = panel.series[0].x;
    const std::string of_many = to_svg(figure);
    EXPECT_GT(of_many.find("fill-opacity=\".82\""), of_many.find(stroked(3)));
}

// A label next to another ring seemed to belong to that ring.
TEST(Labels, AreNearNoOtherRing) {
    Panel panel;
    panel.x = {"x", Scale::linear, 0, 300, {}};
    panel.y = {"y", Scale::linear, 0, 100, {}};
    panel.markers = {{20, 50, "R3"}, {60, 10, "R1"}};
    panel.series = {{"", Mark::path, 0, {0, 60, 100}, {0, 100, 50}}};
    const Frame frame(panel, {0, 0, 300, 100, 0, 0});
    for (const PlacedLabel& one : annotate(panel, frame, drawn_series(panel, frame)).labels) {
        EXPECT_TRUE(one.text != "R3" || one.room.right() < 60 - ring_radius);
    }
}

// "R3" was on the curve or next to the ring of R2.
TEST(Labels, OfRingsOnASteepCurveAreNextToTheirRings) {
    std::vector<NamedSpec> specs;
    for (const double base : {1e4, 5e5, 1e6, 1e5, 1.5e5, 130000., 250000., 1e3})
        for (const std::uint32_t head_dim : {128U, 64U})
            specs.push_back({std::to_string(base), spec_of(head_dim, base, {}, 4096)});
    for (const Figure& figure :
         {angles_figure(with_scaled(std::span(specs).first(8)), 10), angles_figure(specs, 10),
          comparison_figure(std::span(specs).first(4), 28, 1 << 17),
          comparison_figure(with_scaled(std::vector{specs[0]}), 28, 1 << 17)}) {
        const Layout layout = lay_out(figure);
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            const Panel& panel = figure.panels[i];
            if (!panel.y.label.ends_with("mod 2π")) continue;
            const Frame frame(panel, layout.boxes[i]);
            const auto far = [&](const Rect& room, const Marker& from) {
                return room.distance({frame.x(from.x), frame.y(from.y), ""});
            };
            for (const PlacedLabel& one :
                 annotate(panel, frame, drawn_series(panel, frame)).labels) {
                const auto own = std::ranges::find(panel.markers, one.text, &Marker::tag);
                if (own == panel.markers.end()) continue;
                for (PointReader at(panel.series.back()); !at.ended(); at.advance()) {
                    const double x = frame.x(at.x()), y = frame.y(at.y());
                    const bool is_covered = x > one.room.left + 1 && x < one.room.right() - 1 &&
                                            y > one.room.top + 1 && y < one.room.bottom() - 1;
                    EXPECT_FALSE(is_covered) << panel.title << ": " << one.text << " at " << at.x();
                }
                EXPECT_LT(far(one.room, *own), 20) << panel.title << ": " << one.text;
                for (const Marker& other : panel.markers)
                    EXPECT_GE(far(one.room, other), far(one.room, *own))
                        << panel.title << ": " << one.text << " at " << other.tag;
            }
        }
    }
}

TEST(Labels, CoverTheLeastWhereThereIsNoRoom) {
    const Series series;
    Ground ground(200, 100);
    ground.add(curve(series, {{0, 0, 50, 100, 9, 0, 0}, {110, 0, 50, 100, 9, 0, 0}}));
    EXPECT_EQ(ground.place(std::vector{at({{20, 50}, {100, 50}})}).front().spot.x, 100);
}

TEST(Labels, StayInsideTheArea) {
    for (const Spot& spot : {Spot{195, 50}, Spot{2, 50, Anchor::end}, Spot{50, 2}, Spot{50, 120}}) {
        const Rect room = Ground(200, 100).place(std::vector{at({spot})}).front().room;
        EXPECT_TRUE(room.left >= 0 && room.right() <= 200 && room.top >= 0 && room.bottom() <= 100);
    }
}

// "largest failing" was drawn over the curve
TEST(Labels, OfTheBaseBoundLeaveItsCurveFree) {
    for (const Figure& figure :
         {base_bound_figure({{64, 0}, 1024}), base_bound_figure({{32, 0}, 4096})}) {
        const Layout layout = lay_out(figure);
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            const Panel& panel = figure.panels[i];
            const Frame frame(panel, layout.boxes[i]);
            const auto placed = annotate(panel, frame, drawn_series(panel, frame)).labels;
            EXPECT_GE(placed.size(), i == 0 ? 2U : 1U);
            const Series& series = panel.series[0];
            for (const PlacedLabel& one : placed)
                for (std::size_t k = 0; k < series.x.size(); ++k) {
                    const double x = frame.x(series.x[k]), y = frame.y(series.y[k]);
                    EXPECT_FALSE(x > one.room.left && x < one.room.right() && y > one.room.top &&
                                 y < one.room.bottom())
                        << one.text << " at base " << series.x[k];
                }
        }
    }
}

// "n = 2,048" was over steep lines, "n = 40,960" across the line of 32,768.
TEST(Flags, AreAboveThePlotAndNearestToTheirLine) {
    std::vector<NamedSpec> specs;
    for (const std::uint64_t n : {8192U, 32768U, 40960U, 262144U, 2048U, 4096U, 16384U})
        specs.push_back({std::to_string(n), spec_of(64, 5e5, {}, n)});
    for (const Figure& figure :
         {decay_figure({specs.data(), 4}, 1 << 20), decay_figure({specs.data(), 2}, 1 << 20),
          decay_figure(specs, 1 << 20),
          comparison_figure({specs.data() + 2, 1}, 0, 1 << 19, nullptr)}) {
        const Layout layout = lay_out(figure);
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            const Head head = head_of(figure.panels[i], layout.boxes[i].width);
            ASSERT_EQ(head.flags.size(), figure.panels[i].rules.size());
            for (const Flag& flag : head.flags) {
                EXPECT_LT(flag.baseline(), 0);
                EXPECT_TRUE(flag.left >= 0 && flag.left + flag.width <= layout.boxes[i].width);
                for (const Flag& other : head.flags) {
                    const bool is_crossed = other.top() < flag.baseline() && other.x > flag.left &&
                                            other.x < flag.left + flag.width;
                    EXPECT_FALSE(is_crossed) << flag.label << " by " << other.label;
                    const auto far = [&](double x) {
                        return std::max({flag.left - x, x - flag.left - flag.width, 0.0});
                    };
                    EXPECT_TRUE(other.top() > flag.baseline() || far(flag.x) <= far(other.x))
                        << flag.label << ", " << other.label;
                }
            }
        }
    }
}

// Lines at one position, near the right end: names left of the line, and one over another.
TEST(Flags, OfLinesAtOnePlaceHaveARowEach) {
    Panel panel;
    panel.x = {"x", Scale::linear, 0, 100, {}};
    panel.rules = {{90, "error above its tolerance"}, {90, "error above a limit"}, {-1, "outside"}};
    const std::vector<Flag> flags = head_of(panel, 200).flags;
    EXPECT_LT(flags[0].left + flags[0].width, flags[0].x);
    EXPECT_NE(flags[0].row, flags[1].row);
    EXPECT_EQ(flags[2].label, "");
    EXPECT_EQ(flags[2].top(), 0);
}

// The connecting line of a name crossed the name of a line further left.
TEST(Flags, OfTwoLinesAreCrossedByNeither) {
    for (double first = 0; first <= 100; first += 5)
        for (double second = first; second <= 100; second += 5) {
            Panel panel;
            panel.x = {"x", Scale::linear, 0, 100, {}};
            panel.rules = {{first, "above its tolerance"}, {second, "above 10⁻³"}};
            const std::vector<Flag> flags = head_of(panel, 400).flags;
            for (const Flag& name : flags)
                for (const Flag& line : flags)
                    EXPECT_FALSE(line.row > name.row && name.left < line.x &&
                                 line.x < name.left + name.width)
                        << first << ", " << second << ": " << line.label << " crosses "
                        << name.label;
        }
}

// If two series ended at one edge, the second's name was far from its arrows.
TEST(Annotations, NameTheArrowsOfTwoSeriesAtAnEdgeOnce) {
    Panel panel;
    panel.x = {"x", Scale::linear, 0, 10, {}};
    panel.y = {"y", Scale::linear, 0, 1, {}};
    const double infinite = std::numeric_limits<double>::infinity();
    panel.series = {{"a", Mark::dots, 0, {1, 2}, {infinite, infinite}},
                    {"b", Mark::dots, 1, {1, 2}, {infinite, 0.5}}};
    const Frame frame(panel, {0, 0, 400, 100, 0, 0});
    const std::vector<PlacedLabel> placed =
        annotate(panel, frame, drawn_series(panel, frame)).labels;
    ASSERT_EQ(placed.size(), 1U);
    EXPECT_EQ(placed[0].text, "not finite");
    EXPECT_EQ(head_of(panel, 400).legend.size(), 2U);
    panel.series[0].label = "not finite";  // is named by its arrow
    EXPECT_TRUE(head_of(panel, 400).legend.empty());
}

// the label of the worst row covered its ring, if it fits neither left nor right of it
TEST(Labels, FitAboveOrBelowARingWithoutRoomAtItsSides) {
    Panel panel = example_figure().panels[0];
    panel.rules.clear();
    for (const double x : {2, 4, 5, 6}) {
        panel.markers = {{x, 0, "worst 2.6×10⁶ at 22, head 5 of 8"}};
        const Frame frame(panel, {0, 0, 250, 200, 0, 0});
        const Rect ring{frame.x(x) - 7, frame.y(0) - 7, 14, 14};
        for (const PlacedLabel& one : annotate(panel, frame, {}).labels)
            EXPECT_FALSE(one.room.overlaps(ring)) << x;
    }
}

// "not finite" was over the dots below the arrow
TEST(Annotations, AreNextToTheirArrowIfDotsAreBelow) {
    Panel panel;
    panel.x = {"x", Scale::linear, 0, 10, {}};
    panel.y = {"y", Scale::linear, 0, 1, {}};
    panel.series = {{"a", Mark::dots, 0, {1}, {std::numeric_limits<double>::infinity()}},
                    {"b", Mark::dots, 1, {}, {}}};
    for (double x = 0; x < 10; x += 0.1) {
        panel.series[1].x.push_back(x);
        panel.series[1].y.push_back(0.8 - 0.01 * x);
    }
    const Frame frame(panel, {0, 0, 400, 100, 0, 0});
    const std::vector<DrawnSeries> drawn = drawn_series(panel, frame);
    const std::vector<PlacedLabel> placed = annotate(panel, frame, drawn).labels;
    ASSERT_EQ(placed.size(), 1U);
    EXPECT_LT(placed[0].room.bottom(), frame.y(0.8) - 3);
    EXPECT_GT(placed[0].room.left, frame.x(1));
}

TEST(Flags, NameAZoneAboveItsMiddle) {
    Panel panel;
    panel.x = {"x", Scale::linear, 0, 10, {}};
    panel.zones = {{1, 5, "zone", 1}, {6, 6.1, "narrow", 2}};
    panel.rules = {{3, "3"}, {20, "outside"}};
    const std::vector<Flag> flags = head_of(panel, 400).flags;
    ASSERT_EQ(flags.size(), 3U);
    EXPECT_EQ(flags[2].label, "zone");
    EXPECT_NEAR(flags[2].left + flags[2].width / 2, 120, 1e-9);
    EXPECT_NE(flags[2].row, flags[0].row) << "the line of the rule would cross it";
    // "blended" was left out above 6 of 64 pairs
    panel.zones = {{0, 5, "unscaled", 1}, {5, 5.9, "blended", 2}, {9.5, 10, "at the end", 3}};
    panel.rules.clear();
    const std::vector<Flag> narrow = head_of(panel, 400).flags;
    ASSERT_EQ(narrow.size(), 2U);
    EXPECT_NEAR(narrow[1].left + narrow[1].width / 2, 218, 1e-9);
    EXPECT_EQ(narrow[1].row, 0U);
    panel.zones[2].label = "end";
    const Flag end = head_of(panel, 400).flags.back();
    EXPECT_NEAR(end.left + end.width, 400, 3);
}

// Every text of every figure is on its page, and no text covers another.

std::string name_of(std::size_t length, std::size_t i) {
    const std::string words = "a-config-whose-name-has-as-many-letters-as-are-asked-for-here";
    return length == 30 ? std::string(length, 'W') : words.substr(i, length);
}

std::vector<NamedSpec> specs_named(std::size_t count, std::size_t length) {
    const double bases[] = {1e4, 1e5, 5e5, 1e6, 2e6, 3e6, 4e6, 1e7};
    std::vector<NamedSpec> specs;
    for (std::size_t i = 0; i < count; ++i)
        specs.push_back({name_of(length, i % 2), i % 3 == 1
                                                     ? spec_of(128, bases[i], llama3(8), 131072)
                                                     : spec_of(128, bases[i])});
    return specs;
}

TEST(Overprint, IsSeenWhereThereIsSome) {
    const std::string page = "<svg viewBox=\"0 0 100 50\" width=\"100\" height=\"50\">";
    const std::string word = "<text x=\"4\" y=\"20\" font-size=\"10\">word</text>";
    EXPECT_EQ(TextBoxes::complaint(page + word), "");
    EXPECT_EQ(TextBoxes::complaint(page), "no text");
    EXPECT_EQ(TextBoxes::complaint(page + "<g transform=\"translate(80 0)\">" + word + "</g>"),
              "off the page: word");
    EXPECT_EQ(TextBoxes::complaint(page + word + word), "overprinted: word | word");
    EXPECT_EQ(TextBoxes::complaint(page + word + "<g transform=\"translate(40 9)\">" + word), "");
}

// 10¹ 2·10¹ 5·10¹ ran into each other
TEST(Overprint, IsNowhereWhereTicksAreDense) {
    for (const int ticks : {1, 2, 7, 40, 300}) {
        Figure figure = example_figure();
        for (Panel& panel : figure.panels)
            for (Axis* axis : {&panel.x, &panel.y}) {
                axis->ticks.clear();
                for (int k = 0; k < ticks; ++k) {
                    const double share = (k + 0.5) / ticks;
                    axis->ticks.push_back(
                        {axis->scale == Scale::linear
                             ? axis->first + share * (axis->last - axis->first)
                             : axis->first * std::pow(axis->last / axis->first, share),
                         "1,048,576"});
                }
            }
        EXPECT_EQ(TextBoxes::complaint(to_svg(figure)), "") << ticks;
    }
}

TEST(Overprint, IsNowhereInFiguresOfConfigs) {
    using Specs = std::vector<NamedSpec>;
    for (const auto draw :
         {+[](const Specs& specs) { return decay_figure(specs, 1024); },
          +[](const Specs& specs) { return comparison_figure(specs, 40, 1024); },
          +[](const Specs& specs) { return comparison_figure(with_scaled(specs), 0, 4096); },
          +[](const Specs& specs) { return angles_figure(specs, 0); },
          +[](const Specs& specs) { return angles_figure(specs, 40); },
          +[](const Specs& specs) { return spectrum_figure(specs); }})
        for (const std::size_t count : {1U, 2U, 4U, 8U})
            for (const std::size_t length : {3U, 12U, 30U, 60U}) {
                const Figure figure = draw(specs_named(count, length));
                EXPECT_EQ(TextBoxes::complaint(to_svg(figure)), "")
                    << figure.title << ": " << count << ", " << length;
            }
}

// the last tick, 4,194,304, left the page
TEST(Overprint, IsNowhereAtTheRightEdge) {
    const std::vector<NamedSpec> specs{{"a", spec_of(128, 1e4, linear(4000), 1 << 20)},
                                       {"b", spec_of(128, 1e4, {}, 1 << 20)}};
    EXPECT_EQ(TextBoxes::complaint(to_svg(angles_figure(with_scaled(specs), 60))), "");
}

TEST(Overprint, IsNowhereInBaseBounds) {
    for (const BaseQuestion& question :
         {BaseQuestion{{64, 0}, 1024}, BaseQuestion{{2, 0}, 500}, BaseQuestion{{4, 0}, 64},
          BaseQuestion{{40, 24}, 2000}, BaseQuestion{{64, 0}, 3}})
        EXPECT_EQ(TextBoxes::complaint(to_svg(base_bound_figure(question))), "")
            << question.context;
}

}  // namespace rope::plots::labels_test
