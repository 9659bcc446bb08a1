#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "plots/figures/figures.hpp"
#include "plots/parts/series.hpp"
#include "plots/stored.hpp"
#include "plots/svg/ink.hpp"
#include "plots/svg/svg.hpp"
#include "plots/terminal/csv.hpp"
#include "rope/checks/decay.hpp"
#include "rope/specs.hpp"

namespace rope::plots::points_test {

double wave(std::uint64_t s) { return std::sin(std::sqrt(static_cast<double>(s))); }

Series computed(Mark mark, std::uint64_t last) {
    Series series{"wave", mark, 0};
    series.curve = {last, [](std::uint64_t first, std::span<double> y) {
                        EXPECT_EQ(first % 64, 0U);
                        EXPECT_EQ(y.size() % 64, 0U);
                        EXPECT_LE(y.size(), 16384U);
                        for (double& value : y) value = wave(first++);
                    }};
    return series;
}

Series kept(Mark mark, std::uint64_t last) {
    Series series{"wave", mark, 0};
    for (std::uint64_t s = 1; s <= last; ++s) {
        series.x.push_back(static_cast<double>(s));
        series.y.push_back(wave(s));
    }
    return series;
}

constexpr std::uint64_t lengths[] = {0,   1,     2,     62,    63,    64,    65,    127,
                                     128, 16382, 16383, 16384, 16385, 32767, 32768, 100'003};

Figure figure_of(Series series) {
    Figure figure;
    figure.panels.resize(1);
    figure.panels[0].x = {"s", Scale::log2, 1, 100'003, {}};
    figure.panels[0].y = {"y", Scale::linear, -1, 1, {}};
    figure.panels[0].series = {std::move(series)};
    return figure;
}

TEST(Curve, IsDrawnAndListedAsStoredPointsAre) {
    for (const Mark mark : {Mark::line, Mark::band, Mark::dots}) {
        for (const std::uint64_t last : lengths) {
            const Figure anew = figure_of(computed(mark, last)), once = figure_of(kept(mark, last));
            EXPECT_EQ(to_svg(anew), to_svg(once)) << last;
            EXPECT_EQ(to_csv(anew), to_csv(once)) << last;
            EXPECT_EQ(to_csv(plotted_points(anew)), to_csv(plotted_points(once))) << last;
        }
    }
}

TEST(Csv, IsWrittenInPartsOfBoundedSize) {
    const Figure figure = figure_of(computed(Mark::line, 100'003));
    std::string joined;
    write_csv(figure, [&](std::string_view part) {
        EXPECT_LT(part.size(), 70'000U);
        joined += part;
    });
    EXPECT_EQ(joined, to_csv(figure));
    EXPECT_GT(joined.size(), 1'000'000U);
}

std::vector<NamedSpec> unlike_specs() {
    std::vector<NamedSpec> specs = base_and_scaled(Spec{});
    specs.push_back({"narrow", spec_of(6, 1e4)});
    return specs;
}

// a row of a CSV evaluates each of them in turn
TEST(Decays, FollowTheirSpecInAnyOrder) {
    constexpr std::uint64_t last = 10'000;
    const std::vector<NamedSpec> specs = unlike_specs();
    const Figure figure = decay_figure(specs, last);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const auto [mean_cos, roformer] =
            decay_curves(plan_frequencies(specs[i].spec, exact_precision), last);
        PointReader mean(figure.panels[0].series[i]), bound(figure.panels[1].series[i]);
        PointReader other(figure.panels[1].series[(i + 1) % specs.size()]);
        for (std::uint64_t s = 1; s <= last; ++s) {
            ASSERT_EQ(mean.y(), mean_cos[s]) << s;
            ASSERT_EQ(bound.y(), roformer[s]) << s;
            for (PointReader* reader : {&mean, &other, &bound}) reader->advance();
        }
        EXPECT_TRUE(mean.ended() && bound.ended());
    }
}

TEST(Decays, KnowTheShapeOfTheMeanCosine) {
    const std::vector<NamedSpec> specs = unlike_specs();
    for (const std::uint64_t last : {2U, 11U, 12U, 63U, 64U, 5000U}) {
        const std::vector<Decay> decays = decays_of(specs, last);
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const FrequencyPlan plan = plan_frequencies(specs[i].spec, exact_precision);
            const std::vector<double> curve = decay_curves(plan, last).mean_cos;
            const auto least = std::ranges::min_element(curve);
            const auto rise = std::ranges::adjacent_find(
                curve, [](double a, double b) { return b - a > 0x1p-47; });
            const Decay& shape = decays[i];
            EXPECT_EQ(shape.least.score, *least);
            EXPECT_EQ(shape.least.s, static_cast<std::uint64_t>(least - curve.begin()));
            ASSERT_EQ(shape.first_rise.has_value(), rise != curve.end());
            if (shape.first_rise) {
                EXPECT_EQ(shape.first_rise->s,
                          static_cast<std::uint64_t>(rise - curve.begin()) + 1);
            }
        }
    }
}

TEST(Pixels, HaveTwoDecimalsAndNoNegativeZero) {
    EXPECT_EQ(pixels(12.5), "12.5");
    EXPECT_EQ(pixels(-3), "-3");
    EXPECT_EQ(pixels(0.126), "0.13");
    EXPECT_EQ(pixels(1.05), "1.05");
    EXPECT_EQ(pixels(-0.004), "0");
    EXPECT_EQ(pixels(-0.0), "0");
}

TEST(Path, WritesDifferences) {
    Path path;
    path.move_to(1, 2);
    path.line_to(3, 2.5);
    path.line_to(2.75, 0);
    path.close();
    path.dot(9, 9);
    EXPECT_EQ(path.data(), "M1 2l2 0.5 -0.25 -2.5zM9 9h0");
}

TEST(Path, AccumulatesNoRounding) {
    std::mt19937_64 random(1);
    const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    Path path;
    path.move_to(0, 0);
    double x = 0, y = 0;
    for (int i = 0; i < 10000; ++i) path.line_to(x = 760 * unit(), y = 300 * unit());
    std::istringstream differences(path.data().substr(path.data().find('l') + 1));
    long sum_x = 0, sum_y = 0;
    for (double dx = 0, dy = 0; differences >> dx >> dy;) {
        sum_x += std::lround(dx * 100);
        sum_y += std::lround(dy * 100);
    }
    EXPECT_EQ(sum_x, std::lround(x * 100));
    EXPECT_EQ(sum_y, std::lround(y * 100));
}

struct Points {
    std::vector<double> x, y;
};

// Many points at random, ascending in x, some of them outside [0, width].
Points random_points(std::uint64_t seed, double width) {
    std::mt19937_64 random(seed);
    const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    Points points;
    for (std::size_t n = 1 + random() % 5000; n > 0; --n) {
        points.x.push_back((1.2 * unit() - 0.1) * width);
        points.y.push_back(std::ldexp(unit() - 0.5, static_cast<int>(random() % 60) - 30));
    }
    std::ranges::sort(points.x);
    return points;
}

std::vector<Run> reduce_to_columns(const std::vector<double>& x, const std::vector<double>& y,
                                   double width) {
    ColumnReduction reduction(width);
    for (std::size_t i = 0; i < x.size(); ++i) reduction.add(x[i], y[i], x[i]);
    return std::move(reduction).finish();
}

TEST(Reduce, KeepsEveryExtremeOfEveryColumn) {
    const double width = 97;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto [x, y] = random_points(seed, width);
        const auto runs = reduce_to_columns(x, y, width);
        std::size_t inside = 0;
        for (std::size_t i = 0; i < x.size(); ++i) inside += x[i] >= 0 && x[i] <= width;
        if (inside == 0) {
            ASSERT_TRUE(runs.empty());
            continue;
        }
        ASSERT_EQ(runs.size(), 1U) << seed;
        ASSERT_LE(runs[0].size(), 97U) << seed;
        for (const Column& column : runs[0]) {
            const double pixel = std::floor(column.x);
            double low = std::numeric_limits<double>::infinity(), high = -low;
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (x[i] < 0 || x[i] > width || std::floor(x[i]) != pixel) continue;
                --inside;
                low = std::min(low, y[i]);
                high = std::max(high, y[i]);
            }
            ASSERT_EQ(column.low, low) << seed;
            ASSERT_EQ(column.high, high) << seed;
            ASSERT_TRUE(low <= column.mean && column.mean <= high) << seed;
        }
        ASSERT_EQ(inside, 0U) << seed;  // no column is missing
    }
}

TEST(Reduce, DoesNotMoveASinglePointOfAColumn) {
    const std::vector<double> x = {0.25, 3.75}, y = {1, -2};
    const auto runs = reduce_to_columns(x, y, 10);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0][0].x, 0.25);
    EXPECT_EQ(runs[0][1].x, 3.75);
    EXPECT_EQ(runs[0][1].low, -2);
    EXPECT_EQ(runs[0][1].high, -2);
}

// as the only point in its column its mean was one sample: a stroke at the right edge
TEST(Reduce, CountsAPointOnTheRightEdgeToTheLastColumn) {
    const std::vector<double> x = {8.5, 9, 9.5, 10}, y = {0, 0, 0, 1};
    const auto runs = reduce_to_columns(x, y, 10);
    ASSERT_EQ(runs.size(), 1U);
    ASSERT_EQ(runs[0].size(), 2U);
    EXPECT_EQ(runs[0].back().points, 3U);
    EXPECT_EQ(runs[0].back().mean, 1.0 / 3);
    EXPECT_EQ(runs[0].back().high, 1);
}

TEST(Reduce, BreaksAtValuesThatAreNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> x = {0, 0.1, 0.2, 1, 2, 3}, y = {nan, 1, nan, 2, 3, nan};
    const auto runs = reduce_to_columns(x, y, 10);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].size(), 1U);
    EXPECT_EQ(runs[1].size(), 2U);
}

TEST(Reduce, OfNothingIsNothing) { EXPECT_TRUE(reduce_to_columns({}, {}, 10).empty()); }

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

Figure figure_of(std::vector<Series> series) {
    Figure figure;
    figure.panels.resize(1);
    figure.panels[0].x.label = "s";
    figure.panels[0].series = std::move(series);
    return figure;
}

TEST(Csv, WritesEveryDigitThatCounts) {
    EXPECT_EQ(to_csv(figure_of({{"y", Mark::line, 0, {1, 2, 3}, {0.1, 1.0 / 3, 1e-300}}})),
              "\"s\",\"y\"\n1,0.1\n2,0.3333333333333333\n3,1e-300\n");
}

TEST(Csv, JoinsSeriesOnX) {
    EXPECT_EQ(to_csv(figure_of({{"a", Mark::line, 0, {1, 2}, {10, 20}},
                                {"b", Mark::dots, 0, {2, 3}, {21, 31}}})),
              "\"s\",\"a\",\"b\"\n1,10,\n2,20,21\n3,,31\n");
}

TEST(Csv, LeavesUnnamedGuidesOut) {
    EXPECT_EQ(to_csv(figure_of({{"", Mark::guide, 0, {1}, {1}}})), "\"s\"\n");
}

TEST(Csv, LeavesAGapEmptyAndNamesValuesThatAreNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(to_csv(figure_of({{"y", Mark::line, 0, {1, 2, 3}, {nan, -infinity, -0.0}}})),
              "\"s\",\"y\"\n1,\n2,nan\n3,0\n");
    Figure bounds = figure_of({{"y", Mark::line, 0, {1}, {infinity}}});
    bounds.panels[0].y.above = "none up to 9";
    EXPECT_EQ(to_csv(bounds), "\"s\",\"y\"\n1,inf\n");
}

// The panel over positions of a comparison was left out, and its standard error.
TEST(Csv, HasAnXForEachAxisAndARowOfCellsAsASeries) {
    Figure figure = figure_of(
        {{"a", Mark::line, 0, {1, 2, 3}, {10, 20, 30}}, {"error", Mark::guide, 0, {2}, {0.5}}});
    Panel& cells = figure.panels.emplace_back();
    cells.x.label = "position";
    cells.title = "rows";
    cells.heatmap = Heatmap{{0, 4, 8}, {0, 1}, {"head 0", "head 1"}, {0.5F, 1.5F, -1, 2.5F}};
    EXPECT_EQ(to_csv(figure),
              "\"s\",\"a\",\"error\",\"position\",\"rows: head 0\",\"rows: head 1\"\n"
              "1,10,,0,0.5,\n2,20,0.5,4,1.5,2.5\n3,30,,,,\n");
}

TEST(Csv, NamesTheColumnAfterPanelAndSeries) {
    Figure figure = figure_of({{"base", Mark::line, 0, {}, {}}});
    figure.panels[0].title = "=decay";
    EXPECT_EQ(to_csv(figure), "\"s\",\"'=decay: base\"\n");
}

}  // namespace rope::plots::points_test
