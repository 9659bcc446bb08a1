#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "plots/parts/series.hpp"

namespace rope::plots {
namespace reduce_test {

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

}  // namespace reduce_test
}  // namespace rope::plots
