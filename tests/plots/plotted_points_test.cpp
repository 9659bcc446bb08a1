#include <gtest/gtest.h>

#include <algorithm>

#include "plots/csv/csv.hpp"
#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"

namespace rope::plots {
namespace plotted_points_test {

Figure figure_of(Mark mark, std::size_t points) {
    Series series{"y", mark, 0};
    for (std::size_t s = 0; s < points; ++s) {
        series.x.push_back(static_cast<double>(s));
        series.y.push_back(s % 2 == 0 ? 0.25 : 0.75);
    }
    Figure figure;
    figure.panels.resize(1);
    figure.panels[0].x = {"s", Scale::linear, 0, static_cast<double>(points - 1), {}};
    figure.panels[0].series = {series, {"", Mark::guide, 0, {0, 1}, {0, 1}}};
    return figure;
}

TEST(PlottedPoints, AreAllPointsWhereEachHasItsPixel) {
    const Figure figure = figure_of(Mark::line, 100);
    const std::vector<Series> plotted = plotted_points(figure).panels[0].series;
    ASSERT_EQ(plotted.size(), 1U);
    EXPECT_EQ(plotted[0].label, "y");
    EXPECT_EQ(plotted[0].x, figure.panels[0].series[0].x);
    EXPECT_EQ(plotted[0].y, figure.panels[0].series[0].y);
}

TEST(PlottedPoints, KeepMeanAndExtremesOfAPixel) {
    const std::vector<Series> plotted =
        plotted_points(figure_of(Mark::line, 100'000)).panels[0].series;
    ASSERT_EQ(plotted.size(), 3U);
    EXPECT_EQ(plotted[1].label, "y, least");
    EXPECT_EQ(plotted[2].label, "y, greatest");
    EXPECT_LE(plotted[0].x.size(), 800U);
    EXPECT_GT(plotted[0].x.size(), 400U);
    const double pixel = 99'999.0 / static_cast<double>(plotted[0].x.size());
    for (std::size_t i = 0; i + 1 < plotted[0].x.size(); ++i) {
        ASSERT_NEAR(plotted[0].x[i], (static_cast<double>(i) + 0.5) * pixel, pixel);
        ASSERT_NEAR(plotted[0].y[i], 0.5, 0.01);
        ASSERT_EQ(plotted[1].y[i], 0.25);
        ASSERT_EQ(plotted[2].y[i], 0.75);
        ASSERT_LT(plotted[0].x[i], plotted[0].x[i + 1]);
    }
}

// after a line that left its panel at 32 points, 16,352 empty rows followed
TEST(PlottedPoints, AreFewWhereALineLeavesItsPanel) {
    const std::vector<NamedSpec> specs{{"base θ", Spec{}}};
    const std::string csv = to_csv(plotted_points(relatives_figure(specs, 16384)));
    EXPECT_LT(std::ranges::count(csv, '\n'), 1500);
}

TEST(PlottedPoints, OfABandHaveNoMean) {
    EXPECT_EQ(plotted_points(figure_of(Mark::band, 100'000)).panels[0].series.size(), 2U);
}

TEST(PlottedPoints, OfDotsAreSomeOfThem) {
    const std::vector<Series> plotted =
        plotted_points(figure_of(Mark::dots, 100'000)).panels[0].series;
    ASSERT_EQ(plotted.size(), 1U);
    EXPECT_LT(plotted[0].x.size(), 100'001U);
    for (const double x : plotted[0].x) ASSERT_EQ(x, static_cast<double>(static_cast<long>(x)));
}

// The CSV of every distance is 51 MB.
TEST(PlottedPoints, OfABarePlotDecayAreAFewThousandRows) {
    const std::string csv = to_csv(plotted_points(comparison_figure(base_and_scaled(Spec{}))));
    EXPECT_LT(csv.size(), 200'000U);
    EXPECT_GT(std::ranges::count(csv, '\n'), 500);
}

}  // namespace plotted_points_test
}  // namespace rope::plots
