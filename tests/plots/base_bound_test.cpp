#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "plots/figures/figures.hpp"
#include "plots/svg/svg.hpp"
#include "plots/xml_checker.hpp"

namespace rope::plots {
namespace base_bound_test {

// Up to twice the largest failing base it was tinted as if all held.
TEST(BaseBoundFigure, EndsWhereTheSearchDoes) {
    const Figure figure = base_bound_figure({.pairs = {64, 0}, .context = 1024, .search_to = 7000});
    for (const Panel& panel : figure.panels) {
        EXPECT_EQ(panel.x.last, 7000);
        EXPECT_EQ(panel.zones.back().last, 7000);
        EXPECT_LE(panel.series[0].x.back(), 7000);
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
    EXPECT_EQ(figure.panels[0].markers.at(0).tag, "first base that works");
    EXPECT_NEAR(figure.panels[0].markers[0].x, 4293.4375692, 1e-6);
}

// They stood at B = 0, and the sampled curve passed at −0.6 and +1.
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

// The base that was asked about was nowhere in its figure.
TEST(BaseBoundFigure, MarksTheBaseThatWasAskedAbout) {
    const BaseQuestion question{{64, 0}, 1024};
    const double searched_to = bound_base(question).searched_to;
    for (const double base : {500., 1e4, 1e6}) {
        const BaseScan scan = scan_sum(CosineSum({64, 0}, ln(base)), 1024, 8 * 1024);
        const Figure figure = base_bound_figure(question, AskedBase{base, scan});
        const std::string verdict = "base " + grouped(static_cast<std::uint64_t>(base)) +
                                    (base < 4000 ? " fails" : " works");
        EXPECT_TRUE(figure.title.ends_with("; " + verdict)) << figure.title;
        for (const Panel& panel : figure.panels) {
            ASSERT_EQ(panel.rules.size(), 1U);
            EXPECT_EQ(panel.rules[0].label, verdict);
            EXPECT_LT(panel.x.first, base);
            EXPECT_GT(panel.x.last, base);
            for (const Zone& zone : panel.zones) {
                const bool is_searched = zone.label != "not searched";
                EXPECT_LE(is_searched ? zone.last : searched_to,
                          is_searched ? searched_to : zone.first);
            }
            EXPECT_EQ(panel.zones.back().label == "not searched", base > searched_to);
            EXPECT_EQ(panel.zones.back().last, panel.x.last);
            const auto ring = std::ranges::find(panel.markers, base, &Marker::x);
            const bool has_ring = &panel == &figure.panels[0] || scan.first_negative;
            ASSERT_EQ(ring != panel.markers.end(), has_ring);
            if (!has_ring) continue;
            const Series& series = panel.series[0];
            const auto at = std::ranges::find(series.x, base) - series.x.begin();
            EXPECT_EQ(ring->y, series.y.at(static_cast<std::size_t>(at)));
        }
    }
    for (const Panel& panel : base_bound_figure(question).panels) EXPECT_TRUE(panel.rules.empty());
}

TEST(BaseBoundFigure, SaysInItsTitleWhichBasesWork) {
    const BaseQuestion question{{64, 0}, 1024};
    const BaseBound bound = bound_base(question);
    const Figure figure = base_bound_figure(question);
    // 4293.4375692… and the largest that fails, rounded to what is true
    EXPECT_EQ(figure.title,
              "For 1,024 positions every base searched above " +
                  grouped(static_cast<std::uint64_t>(std::ceil(*bound.largest_failing))) +
                  " works, and none below 4,293");
    EXPECT_EQ(figure.subtitle, "head_dim 128 · rotary_dim 128 · " +
                                   std::to_string(bound.islands.size()) +
                                   " intervals of bases that work · searched to 42,930");
}

TEST(BaseBoundFigure, HasAtLeastTwoTicksHoweverWideItIs) {
    for (const BaseQuestion& question :
         {BaseQuestion{{64, 0}, 3}, BaseQuestion{{2, 0}, 500}, BaseQuestion{{40, 24}, 2000}}) {
        const Figure figure = base_bound_figure(question);
        EXPECT_GE(figure.panels[0].x.ticks.size(), 2U);
        EXPECT_LE(figure.panels[0].x.ticks.size(), 12U);
        EXPECT_EQ(XmlChecker::complaint(to_svg(figure)), "");
    }
}

TEST(BaseBoundFigure, RefusesToDrawNothing) {
    EXPECT_THROW(base_bound_figure({{1, 0}, 100}), InputError);
    EXPECT_THROW(base_bound_figure({{8, 8}, 100}), InputError);
}

}  // namespace base_bound_test
}  // namespace rope::plots
