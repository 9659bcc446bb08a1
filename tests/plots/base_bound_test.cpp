#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "plots/figures/figures.hpp"

namespace rope::plots {
namespace base_bound_test {

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

// Lines from the config base's ring to its label crossed the curve.
TEST(BaseBoundFigure, NamesTheAskedBaseAboveThePlot) {
    const BaseQuestion question{{32, 0}, 1024};
    const AskedBase asked{1e4, scan_sum(CosineSum(question.pairs, ln(1e4)), 1024, 8192)};
    const Figure figure = base_bound_figure(question, asked);
    EXPECT_TRUE(figure.panels[0].rules.at(0).label.starts_with("base 10,000 fails: least −"));
    EXPECT_TRUE(
        figure.panels[1].rules.at(0).label.starts_with("base 10,000 fails: first B(s) < 0 at s ="));
    EXPECT_EQ(figure.panels[1].markers.at(0).tag, "");
}

TEST(BaseBoundFigure, HasAtLeastTwoTicksHoweverWideItIs) {
    for (const BaseQuestion& question :
         {BaseQuestion{{64, 0}, 3}, BaseQuestion{{2, 0}, 500}, BaseQuestion{{40, 24}, 2000}}) {
        const Figure figure = base_bound_figure(question);
        EXPECT_GE(figure.panels[0].x.ticks.size(), 2U);
        EXPECT_LE(figure.panels[0].x.ticks.size(), 12U);
    }
}

// --search-to changed neither the axis nor the intervals
TEST(BaseBoundFigure, ExtendsToTheEndOfTheSearch) {
    BaseQuestion question{{64, 0}, 4096};
    question.search_to = 1e6;
    const Figure wide = base_bound_figure(question);
    EXPECT_EQ(wide.panels[0].x.last, 1e6);
    EXPECT_EQ(wide.panels[0].zones.back().last, 1e6);
    question.search_to = 20000;  // below every base that works
    const Figure narrow = base_bound_figure(question);
    EXPECT_EQ(narrow.title, "Up to distance 4,096 no base below 26,950 works");
    ASSERT_EQ(narrow.panels[0].markers.size(), 1U);
    EXPECT_EQ(narrow.panels[0].markers[0].tag, "first base that works");
    ASSERT_EQ(narrow.panels[0].zones.size(), 1U);
    EXPECT_EQ(narrow.panels[0].zones[0].label, "not searched");
    EXPECT_GT(narrow.panels[0].x.last, narrow.panels[0].markers[0].x);
}

TEST(BaseBoundFigure, RefusesToDrawNothing) {
    EXPECT_THROW(base_bound_figure({{1, 0}, 100}), InputError);
    EXPECT_THROW(base_bound_figure({{8, 8}, 100}), InputError);
}

}  // namespace base_bound_test
}  // namespace rope::plots
