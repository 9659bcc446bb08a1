#include "plots/figures/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "base/error.hpp"
#include "plots/figures/subject.hpp"
#include "plots/parts/ticks.hpp"
#include "plots/stored.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/svg.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/specs.hpp"

namespace rope::plots::figures_test {

const std::vector<NamedSpec> both = base_and_scaled(Spec{});

Panel panel_of(const NamedSpec& named, std::optional<std::uint64_t> last = {},
               std::uint32_t pair = 0) {
    return angle_panel(named, pair, last, angle_search({&named, 1}, last.value_or(0)), 0);
}

std::vector<double> marked(const Panel& panel) {
    std::vector<double> distances;
    for (const Marker& marker : panel.markers) distances.push_back(marker.x);
    return distances;
}

Series series_of(const Panel& panel, Mark mark) {
    return stored(*std::ranges::find(panel.series, mark, &Series::mark));
}

// He & Xu's numbers: s = 6 turns by 6, s = 7 by 0.7168.
TEST(Angles, AreHeAndXusFigure1) {
    const Series dots = series_of(panel_of(both[0]), Mark::dots);
    ASSERT_EQ(dots.x.size(), 50U);
    EXPECT_EQ(dots.x.front(), 1);
    EXPECT_DOUBLE_EQ(dots.y[5], 6);
    EXPECT_DOUBLE_EQ(dots.y[6], 0.71681469282041352307);
}

TEST(Angles, AreHeAndXusFigure2) {
    const Series dots = series_of(panel_of(both[1], 2048), Mark::dots);
    ASSERT_EQ(dots.x.size(), 2048U);
    EXPECT_EQ(dots.y.back(), std::numbers::pi / 2);
    EXPECT_TRUE(std::ranges::is_sorted(dots.y));
}

TEST(Angles, MarkTheFirstViolations) {
    EXPECT_EQ(marked(panel_of(both[0])), (std::vector<double>{3, 4, 7}));
    EXPECT_EQ(marked(panel_of(both[1])), (std::vector<double>{2049, 4097, 8192}));
    EXPECT_EQ(panel_of(both[1]).subtitle,
              "θ̄₀ = π/4,096 · R3 fails at s = 2,049, R2 at 4,097, R1 at 8,192");
    EXPECT_EQ(panel_of(both[1]).markers.back().y, 0);  // 8192·π/4096 is exactly a turn
}

NamedSpec with_base(double base, std::string label = "") {
    return {std::move(label), spec_of(128, base)};
}

// in pair 63 both were a line along the axis
TEST(DrawnPair, IsTheSlowestInWhichSpecsDifferThatComesRound) {
    EXPECT_EQ(slowest_differing_pair(std::vector{with_base(1e4)}), 0U);
    EXPECT_EQ(slowest_differing_pair(std::vector{with_base(1e4), with_base(1e4)}), 0U);
    EXPECT_EQ(slowest_differing_pair(std::vector{with_base(1e4), with_base(5e5)}), 28U);
    NamedSpec slow_pairs_alike = with_base(1e4);
    slow_pairs_alike.spec.scaling = {.rope_type = "longrope",
                                     .original_max_position_embeddings = 2048,
                                     .short_factor = std::vector<double>(64, 1)};
    slow_pairs_alike.spec.scaling.short_factor[20] = 2;
    slow_pairs_alike.spec.scaling.long_factor = slow_pairs_alike.spec.scaling.short_factor;
    EXPECT_EQ(slowest_differing_pair(std::vector{with_base(1e4), slow_pairs_alike}), 20U);
}

// in pair 28 both were a line along the axis
TEST(DrawnPair, CompletesATurnInTheDrawnRange) {
    const std::vector specs = {with_base(1e4), with_base(5e5)};
    EXPECT_EQ(slowest_differing_pair(specs, 200), 16U);
    EXPECT_EQ(slowest_differing_pair(specs, 1 << 20), 58U);
}

TEST(Angles, OfASlowPairHaveASeparateAxis) {
    for (const auto& [spec, pair, last, want] :
         {std::tuple{both[0], 63U, 2048U, 2 * std::numbers::pi},
          {both[0], 63U, 200U, std::numbers::pi / 128},
          {both[1], 0U, 40U, std::numbers::pi / 64},
          {both[1], 63U, 2U, 4 * std::numbers::pi / (1 << 26)}}) {
        const Panel panel = panel_of(spec, last, pair);
        EXPECT_DOUBLE_EQ(panel.y.last, want);
        ASSERT_EQ(panel.y.ticks.size(), 5U);
        EXPECT_DOUBLE_EQ(panel.y.ticks.back().value, want);
    }
}

TEST(DrawnPair, IsTheFirstThatDiffersWhereNoneComesRound) {
    std::vector<NamedSpec> specs = {with_base(1e4), with_base(5e5)};
    for (NamedSpec& named : specs) named.spec.max_position_embeddings = 4;
    EXPECT_EQ(slowest_differing_pair(specs), 1U);
}

TEST(DrawnPair, IsOneThatEverySpecHas) {
    const NamedSpec narrow{"", spec_of(64, 1e4)};
    EXPECT_EQ(common_pairs(std::vector{with_base(1e4), narrow}), 32U);
    EXPECT_EQ(slowest_differing_pair(std::vector{with_base(1e4), narrow}), 20U);
}

TEST(Angles, NeverDrawALineThroughTheWrap) {
    for (const std::uint64_t last : {1ULL, 6ULL, 50ULL, 700ULL}) {
        const Series tooth = series_of(panel_of(both[0], last), Mark::guide);
        for (std::size_t i = 1; i < tooth.y.size(); ++i) {
            ASSERT_LE(tooth.x[i - 1], tooth.x[i]);
            if (std::isnan(tooth.y[i]) || std::isnan(tooth.y[i - 1])) continue;
            ASSERT_LT(tooth.y[i - 1], tooth.y[i]) << "at s = " << tooth.x[i];
        }
    }
}

// A curve in the lowest sixteenth of a common axis was a line on the x axis.
TEST(Angles, ShareAnAxisThatShowsTheirCurves) {
    std::vector<NamedSpec> specs;
    for (const double base : {1e4, 5e5, 1e6, 1e7})
        specs.push_back(with_base(base, std::to_string(base)));
    const std::vector<NamedSpec> all = with_scaled(specs);
    for (const Figure& figure :
         {angles_figure(all, 28), comparison_figure(std::span(all).first(4), 28, 4096)})
        for (const Panel& panel : figure.panels)
            for (const Panel& other : figure.panels)
                if (panel.y.label == other.y.label && panel.y.last != other.y.last) {
                    const double ratio = panel.y.last / other.y.last;
                    EXPECT_TRUE(ratio > 16 || ratio < 1.0 / 16);
                }
    std::vector<Panel> panels(3);
    for (const double last : {1., 16., 17.}) {
        panels[0].y = {"y", Scale::linear, 0, last, {}};
        panels[1].y = panels[2].y = {"y", Scale::linear, 0, 1, {}};
        share_y_axes(panels);
        EXPECT_EQ(panels[1].y.last, last > 16 ? 1 : last);
    }
}

// "R2 holds to s = 1,048,576, R1 to 1,048,576", and panels that ended before without a word.
TEST(Angles, SayOnceHowFarReadingsHoldAndWhereThePanelEnds) {
    EXPECT_EQ(panel_of(both[1], 2048).subtitle,
              "θ̄₀ = π/4,096 · R3 fails at s = 2,049, R2 at 4,097, R1 at 8,192 · drawn to 2,048");
    const auto slow = [](std::uint64_t last) { return panel_of(both[0], last, 63).subtitle; };
    EXPECT_EQ(slow(1024),
              "θ₆₃ = 0.00011548 · R3 fails at s = 13,604, R1 and R2 hold to s = 16,384 · drawn to "
              "1,024");
    EXPECT_EQ(slow(16384),
              "θ₆₃ = 0.00011548 · R3 fails at s = 13,604, R1 and R2 hold to s = 16,384");
    EXPECT_EQ(panel_of(both[0], 64).subtitle, "θ₀ = 1 · R3 fails at s = 3, R2 at 4, R1 at 7");
}

// They did not name the scaling, as the scaled form next to it has another.
TEST(Decay, NamesTheScaling) {
    Spec spec;
    spec.scaling = {.rope_type = "linear", .factor = 4};
    const std::vector<NamedSpec> all = with_scaled(std::vector<NamedSpec>{{"a", spec}});
    for (const Figure& figure : {comparison_figure(all, 0, 64), angles_figure(all, 0)})
        EXPECT_TRUE(figure.subtitle.ends_with(" · rope_type linear · factor 4"));
}

// Lines at several contexts did not name their config, and the second of two equal curves
// hid the first.
TEST(Decay, NamesContextsAndDashesEqualCurves) {
    std::vector<NamedSpec> specs{{"a", spec_of(64, 1e4, {}, 64)},
                                 {"b", spec_of(64, 1e4, {}, 256)},
                                 {"c", spec_of(64, 5e5, {}, 64)},
                                 {"d", spec_of(64, 1e4, {}, 64)}};
    const Panel panel = decay_figure(specs, 1024).panels[0];
    EXPECT_EQ(panel.series[0].label, "a, n = 64");
    EXPECT_EQ(panel.series[1].label, "b, n = 256");
    EXPECT_EQ(panel.series[0].color, 0);
    EXPECT_EQ(panel.series[1].color, 1 + palette_colors);
    EXPECT_EQ(panel.series[2].color, 2);
    EXPECT_EQ(panel.series[3].color, 3 + 2 * palette_colors);
    // cos s of one pair and of four differ by rounding
    specs = {{"one pair", spec_of(2, 1e4, {}, 64)}, {"four", spec_of(8, 1, {}, 64)}};
    EXPECT_EQ(decay_figure(specs, 1024).panels[0].series[1].color, 1 + palette_colors);
}

TEST(Headline, NamesThePlace) {
    const std::vector<Quantity> all = {{7328, "7,328", "a"}, {12, "12", "b"}, {40, "40", "d"}};
    const auto of = [](std::span<const Quantity> some) {
        return extremes({some.begin(), some.end()}, "with", ", at ");
    };
    EXPECT_EQ(of(std::span(all).first(1)), "7,328 with a");
    EXPECT_EQ(of(std::span(all).first(2)), "12 with b, at 7,328 with a");
    EXPECT_EQ(of(all), "12 with b to 7,328 with a");
    const std::vector<Quantity> same = {{7, "7", "a"}, {7, "7", "b"}, {7, "7", "c"}};
    EXPECT_EQ(of(std::span(same).first(2)), "7 with a and b");
    EXPECT_EQ(of(same), "7 with a, b and c");
    // both ends of the first name, without its middle
    const std::vector<Quantity> tied = {
        {12, "12", "a"}, {6, "6", "b"}, {12, "12", "c"}, {6, "6", "d"}, {9, "9", "e"}};
    EXPECT_EQ(of(tied), "6 with b and d to 12 with a and c");
}

TEST(Headline, NamesSpecsWhoseAngleDoesNotWrap) {
    std::vector<NamedSpec> specs{{"a", spec_of(128, 1e4, {}, 64)}};
    const auto title = [&](std::uint32_t pair) { return angles_figure(specs, pair).title; };
    EXPECT_EQ(title(63), "Angle of pair 63 never wraps up to s = 512");
    specs.push_back({"b", spec_of(128, 10, {}, 64)});
    EXPECT_EQ(title(63), "Angle of pair 63 first wraps at s = 61 with b, never up to 512 with a");
}

// A title of long names lost its end, "(scaled θ) and 2 others".
// titles had "mixtral-8x7b-instru…ntext-finetune-32k" although there was room
TEST(Headline, LeavesNamesWhole) {
    std::vector<NamedSpec> specs;
    const std::string name = "a-model-name-of-sixty-characters-that-differs-at-its-end-10";
    for (const char digit : {'4', '5', '6', '7'})
        specs.push_back(with_base(std::pow(10, digit - '0'), name + digit));
    for (const Figure& figure :
         {angles_figure(specs, 28), decay_figure(specs, 64), comparison_figure(specs, 0, 64)}) {
        EXPECT_NE(figure.title.find(specs[0].label), std::string::npos);
        for (const std::string& line : lay_out(figure).title)
            EXPECT_EQ(line.find("…"), std::string::npos) << line;
    }
    const std::string legends = to_svg(comparison_figure(specs, 0, 64));
    EXPECT_EQ(legends.find("…"), std::string::npos);
}

TEST(Headline, ListsANameOnce) {
    EXPECT_EQ(names_of({"a"}), "a");
    EXPECT_EQ(names_of({"a", "a"}), "a");
    EXPECT_EQ(names_of({"a", "b", "a"}), "a and b");
    EXPECT_EQ(names_of({"a", "b", "c"}), "a, b and c");
    EXPECT_EQ(names_of({"a", "b", "c", "d", "e"}), "a, b and 3 others");
}

// "0.12 with rope_theta 10000, 0.12 with rope_theta 10000"
TEST(Headline, OfDecayListsEqualScoresOnce) {
    const auto title = [](const std::vector<const char*>& names, const std::vector<double>& ends) {
        std::vector<Decay> decays;
        for (std::size_t i = 0; i < names.size(); ++i)
            decays.push_back({.label = names[i], .end = 9, .least_to_end = {0, ends[i]}});
        return decay_headline(decays).substr(std::string("Up to s = 9 ").size());
    };
    const std::string score = "the least score of equal tokens is ";
    EXPECT_EQ(title({"a", "a"}, {0.12, 0.12}), score + "0.12 with a");
    EXPECT_EQ(title({"a", "b"}, {0.121, 0.119}), score + "0.12 with b and a");
    EXPECT_EQ(title({"a", "b"}, {0.9, 0.12}), score + "0.12 with b, 0.90 with a");
    EXPECT_EQ(title({"a", "b", "c"}, {0.9, 0.12, 0.9}), score + "0.12 with b, 0.90 with a and c");
    EXPECT_EQ(title({"a", "b", "c", "d"}, {0.9, 0.12, 0.5, 0.9}),
              score + "0.12 with b to 0.90 with a and d");
}

// "falls by 5 %" for a score that reached −1, and for that of s = n, which is outside the context
TEST(Headline, OfDecayIsTheLeastScoreOfTheContext) {
    const auto title = [](std::uint64_t n) {
        const std::vector<NamedSpec> specs{{"a", spec_of(2, 1e4, {}, n)}};
        return decay_figure(specs, 64).title;
    };
    EXPECT_EQ(title(4), "Up to s = 3 the least score of equal tokens is −0.99 with a");  // cos 3
    EXPECT_EQ(title(3), "Up to s = 2 the least score of equal tokens is −0.42 with a");  // cos 2
}

// plot-decay shows the score of equal tokens, q = k = 1, that plot-scores shows for
// a config with unrotated dimensions or with an attention factor.
TEST(Decay, IsTheScoreOfEveryDimension) {
    Spec part = partial(80, 32);
    part.max_position_embeddings = 64;
    for (const Spec& spec : {part, spec_of(64, 1e4, yarn(32), 64)}) {
        const QueryAndKey ones{std::vector<double>(spec.head_dim, 1),
                               std::vector<double>(spec.head_dim, 1)};
        const std::vector<double> want =
            score_curve(spec, *emulate(spec, find_pipeline("exact"), 65), ones).exact;
        const std::vector<NamedSpec> named{{"a", spec}};
        const Series score = stored(decay_figure(named, 64).panels[0].series[0]);
        for (std::size_t s = 1; s <= 64; ++s)
            EXPECT_NEAR(score.y[s - 1], want[s] / want[0], 1e-12) << s;
    }
}

// A ring is in the band of its curve, whose line is the mean over a pixel's distances.
TEST(Decay, RingsPointsOfItsCurve) {
    std::vector<NamedSpec> specs{{"a", both[0].spec}, {"b", both[0].spec}};
    specs[1].spec.rope_theta = 1e6;
    std::size_t rings = 0;
    for (const Figure& figure :
         {decay_figure(specs, 20'000), comparison_figure(specs, 0, 20'000)}) {
        const Layout layout = lay_out(figure);
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            const Panel& panel = figure.panels[i];
            if (panel.x.scale != Scale::log2) continue;
            const Frame frame(panel, layout.boxes[i]);
            const std::vector<DrawnSeries> all = drawn_series(panel, frame);
            for (const Marker& marker : panel.markers) {
                const double y = frame.y(marker.y);
                const auto has = [&](const Column& column) {
                    return column.first <= marker.x && marker.x <= column.last &&
                           column.low <= y + 1e-9 && y <= column.high + 1e-9;
                };
                EXPECT_TRUE(std::ranges::any_of(all, [&](const DrawnSeries& drawn) {
                    return std::ranges::any_of(drawn.runs.at(0), has);
                })) << marker.tag;
            }
            rings += panel.markers.size();
        }
    }
    EXPECT_EQ(rings, 12U);
}

TEST(Decay, PutsEverySpecInBothPanels) {
    const Figure figure = decay_figure(both, 4096);
    ASSERT_EQ(figure.panels.size(), 2U);
    for (const Panel& panel : figure.panels) {
        ASSERT_EQ(panel.series.size(), 2U);
        EXPECT_EQ(panel.series[0].label, "base θ");
        EXPECT_EQ(stored(panel.series[1]).x.front(), 1);
        EXPECT_EQ(stored(panel.series[1]).x.back(), 4096);
    }
    // B̂(1), B̂(2048) and A(1), A(2048) by 40-digit arithmetic
    const auto y = [&](std::size_t panel, std::size_t series, std::size_t s) {
        return stored(figure.panels[panel].series[series]).y[s - 1];
    };
    EXPECT_NEAR(y(0, 0, 1), 0.970213809465119135, 1e-14);
    EXPECT_NEAR(y(0, 1, 2048), 0.931439466781134873, 1e-14);
    EXPECT_NEAR(y(1, 0, 1), 31.538166142658, 1e-11);
    EXPECT_NEAR(y(1, 0, 2048), 3.618515443053, 1e-11);
}

TEST(Decay, KeepsEveryCurveInsideItsAxis) {
    for (const Spec& spec : {Spec{}, spec_of(2, 1e4)}) {
        for (const Panel& panel : decay_figure(base_and_scaled(spec), 3000).panels) {
            for (const Series& series : panel.series) {
                const std::vector<double> y = stored(series).y;
                EXPECT_GE(std::ranges::min(y), panel.y.first);
                EXPECT_LE(std::ranges::max(y), panel.y.last + 1e-12);
            }
        }
    }
}

TEST(BaseBoundFigure, TintsTheBasesWhoseLeastScoreIsNotNegative) {
    const Figure figure = base_bound_figure({{64, 0}, 1024});
    ASSERT_EQ(figure.panels.size(), 2U);
    for (const Panel& panel : figure.panels) {
        ASSERT_EQ(panel.zones.size(), 3U);
        const Series& series = panel.series.at(0);
        for (std::size_t k = 0; k < series.x.size(); ++k) {
            const double base = series.x[k];
            const bool tinted = std::ranges::any_of(panel.zones, [&](const Zone& zone) {
                return zone.first <= base && base <= zone.last;
            });
            const double y = series.y[k];
            const bool holds = &panel == &figure.panels[0] ? y >= 0 : !(y <= 1024);
            EXPECT_EQ(tinted, holds) << base;
        }
    }
    EXPECT_EQ(figure.panels[0].markers.at(0).tag, "smallest base");
    EXPECT_NEAR(figure.panels[0].markers[0].x, 4293.4375692, 1e-6);
}

// The rings were at B = 0, and the sampled curve passed at −0.6 and +1.
TEST(BaseBoundFigure, RingsPointsOfItsCurve) {
    const Figure figure = base_bound_figure({{32, 0}, 4096});
    const Panel& panel = figure.panels[0];
    ASSERT_EQ(panel.markers.size(), 2U);
    EXPECT_EQ(panel.series[0].mark, Mark::path);  // through every point
    for (const Marker& marker : panel.markers) {
        const auto at = std::ranges::find(panel.series[0].x, marker.x) - panel.series[0].x.begin();
        ASSERT_LT(static_cast<std::size_t>(at), panel.series[0].x.size()) << marker.tag;
        EXPECT_EQ(panel.series[0].y[static_cast<std::size_t>(at)], marker.y);
        EXPECT_NEAR(marker.y, 0, 1e-6) << marker.tag;
    }
}

TEST(BaseBoundFigure, HasAtLeastTwoTicksHoweverWideItIs) {
    for (const BaseQuestion& question :
         {BaseQuestion{{64, 0}, 3}, BaseQuestion{{2, 0}, 500}, BaseQuestion{{40, 24}, 2000}}) {
        const Figure figure = base_bound_figure(question);
        EXPECT_GE(figure.panels[0].x.ticks.size(), 2U);
        EXPECT_LE(figure.panels[0].x.ticks.size(), 12U);
    }
}

TEST(BaseBoundFigure, RefusesToDrawNothing) {
    EXPECT_THROW(base_bound_figure({{1, 0}, 100}), InputError);
    EXPECT_THROW(base_bound_figure({{8, 8}, 100}), InputError);
}

}  // namespace rope::plots::figures_test
