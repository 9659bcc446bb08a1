#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/checks/columns.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace {

using Corners = std::vector<ConvexRing::Corner>;

// Corners at random angles of an ellipse, counter-clockwise.
Corners ellipse(Seeded& random, std::size_t count, double flatness) {
    std::vector<double> angles;
    for (std::size_t k = 0; k < count; ++k)
        angles.push_back(random.within(0, 2 * std::numbers::pi));
    std::ranges::sort(angles);
    Corners corners;
    for (const double phi : angles)
        corners.push_back({3 + std::cos(phi), flatness * std::sin(phi) - 1});
    return corners;
}

// The least distance to the left of an edge: negative outside.
double depth(const Corners& corners, double x, double y) {
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const auto &a = corners[k], &b = corners[(k + 1) % corners.size()];
        const double ex = b.x - a.x, ey = b.y - a.y;
        least = std::min(least, (ex * (y - a.y) - ey * (x - a.x)) / std::hypot(ex, ey));
    }
    return least;
}

TEST(ConvexRing, HoldsThePointsToTheLeftOfEveryEdge) {
    Seeded random(1);
    for (const std::size_t count : {3U, 4U, 5U, 17U, 500U})
        for (const double flatness : {1.0, 0.1, 1e-3}) {
            const Corners corners = ellipse(random, count, flatness);
            const ConvexRing ring(corners);
            for (int k = 0; k < 2000; ++k) {
                const double x = 3 + random.within(-1.2, 1.2);
                const double y = flatness * random.within(-1.2, 1.2) - 1;
                const double inside = depth(corners, x, y);
                if (std::abs(inside) > 1e-14) {
                    EXPECT_EQ(ring.is_within(x, y, 0), inside > 0) << count << ' ' << flatness;
                }
            }
        }
}

TEST(ConvexRing, HoldsItsCornersAndWhatIsBetweenThem) {
    Seeded random(1);
    const Corners corners = ellipse(random, 100, 0.5);
    const ConvexRing ring(corners);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const auto &a = corners[k], &b = corners[(k + 37) % corners.size()];
        EXPECT_TRUE(ring.is_within(a.x, a.y, 1e-15));
        EXPECT_TRUE(ring.is_within((a.x + b.x) / 2, (a.y + b.y) / 2, 0));
    }
}

TEST(ConvexRing, SlackReachesNoFurtherThanItSays) {
    const ConvexRing square({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
    EXPECT_FALSE(square.is_within(1.01, 0, 0.009));
    EXPECT_TRUE(square.is_within(1.01, 0, 0.011));
    EXPECT_FALSE(square.is_within(1.01, 1.01, 0.0141));
    EXPECT_TRUE(square.is_within(1.01, 1.01, 0.0142));
    EXPECT_TRUE(square.is_within(0, 0, 0));
}

TEST(ConvexRing, OfNoAreaHoldsNothing) {
    EXPECT_FALSE(ConvexRing().is_within(0, 0, 1));
    EXPECT_FALSE(ConvexRing({{0, 0}, {1, 0}}).is_within(0.5, 0, 1));
}

}  // namespace
}  // namespace rope
