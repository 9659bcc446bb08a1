// The worst pair of a column in little room: between a witness and a bound that every pair is
// looked at for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rope/checks/columns.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace {

constexpr double pi = std::numbers::pi;
constexpr ColumnRoom little{.whole = 32, .hull = 4096};

using Points = std::vector<Deviation>;

Deviation at(double re, double im, double position) {
    return {re - 1, im, re * re + im * im - 1, position};
}
Deviation polar(double modulus, double phi, double position) {
    return at(modulus * std::cos(phi), modulus * std::sin(phi), position);
}

struct Column {
    const char* name;
    Deviation (*point)(Seeded& random, double position);
};

// No power of two below 2048 rows is without all of its kinds.
const std::vector<Column> columns{
    {"ring", [](Seeded& r, auto m) { return polar(1, r.within(-pi, pi), m); }},
    {"float32 ring",
     [](Seeded& r, auto m) { return polar(1 + r.within(-6e-8, 6e-8), r.within(-pi, pi), m); }},
    {"bfloat16 ring",
     [](Seeded& r, auto m) { return polar(1 + r.within(-3e-3, 3e-3), r.within(-pi, pi), m); }},
    {"growing ring", [](Seeded& r, auto m) { return polar(1 + 1e-6 * m, r.within(-pi, pi), m); }},
    {"shrinking ring", [](Seeded& r, auto m) { return polar(2 - 1e-4 * m, r.within(-pi, pi), m); }},
    // |v(φ)|·|v(φ + π)| is 1 for every φ and the largest |v| is more: no direction is better
    {"constant width",
     [](Seeded& r, auto m) {
         const double phi = r.within(-pi, pi);
         return polar(std::exp(1e-7 * std::sin(3 * phi)), phi, m);
     }},
    {"two clusters",
     [](Seeded& r, auto m) {
         return at((r.below(2) == 0 ? 1 : -0.6) + r.within(-1e-6, 1e-6), r.within(-1e-6, 1e-6), m);
     }},
    {"cluster behind",
     [](Seeded& r, auto m) {
         return polar(1 + r.within(-1e-9, 1e-9), 3 + r.within(-1e-9, 1e-9), m);
     }},
    {"float64 cluster", [](Seeded& r, auto m) { return polar(1 + r.within(-3e-16, 3e-16), 2, m); }},
    {"lattice",
     [](Seeded& r, auto m) {
         return at(static_cast<double>(r.below(9)) / 4 - 1, static_cast<double>(r.below(9)) / 4 - 1,
                   m);
     }},
    {"bfloat16 lattice",
     [](Seeded& r, auto m) {
         const double phi = r.within(-pi, pi);
         return at(std::round(256 * std::cos(phi)) / 256, std::round(256 * std::sin(phi)) / 256, m);
     }},
    {"disc", [](Seeded& r, auto m) { return polar(r.within(0, 2), r.within(-pi, pi), m); }},
    {"arc", [](Seeded& r, auto m) { return polar(1, r.within(-0.3, 1.7), m); }},
    {"drift", [](Seeded&, auto m) { return polar(1, m * 1e-3, m); }},
    {"line", [](Seeded& r, auto m) { return at(r.within(-3, 3), 0, m); }},
    {"slanted line",
     [](Seeded& r, auto m) {
         const double t = r.within(-2, 1);
         return at(t, t, m);
     }},
    {"zeros and one", [](Seeded& r, auto m) { return at(r.below(3) == 0 ? 1 : 0, 0, m); }},
    {"zero", [](Seeded&, auto m) { return at(0, 0, m); }},
    {"equal", [](Seeded&, auto m) { return at(-0.6, 0.8, m); }},
    {"far", [](Seeded& r, auto m) { return at(r.within(-50, 50), r.within(-50, 50), m); }},
    {"huge",
     [](Seeded& r, auto m) { return polar(std::exp(r.within(0, 60)), r.within(-pi, pi), m); }},
    {"small", [](Seeded& r, auto m) { return polar(1e-9 * r.unit(), r.within(-pi, pi), m); }},
};

Points draw(const Column& column, std::size_t rows) {
    Seeded random(1);
    Points points;
    for (std::size_t m = 0; m < rows; ++m)
        points.push_back(column.point(random, static_cast<double>(m)));
    return points;
}

double largest_square(const Points& points) {
    double largest = 0;
    for (const Deviation& v : points) largest = std::max(largest, v.u + 1);
    return largest;
}

double rounding(double error) { return 0x1p-46 * (1 + error); }

// As the check does: without those that need not be inserted.
void insert(WideColumn& column, const Deviation& v) {
    if (!(v.u + 1 <= column.dull_square())) column.insert(v);
}

class WideColumns : public testing::TestWithParam<Column> {
  protected:
    Points points = draw(GetParam(), 2048);
    double most = largest_square(points);

    double want() const { return worst_pair_by_search(points).error; }
};

TEST_P(WideColumns, WorstIsWithinABillionthOfASearch) {
    for (const double known : {most, static_cast<double>(HUGE_VAL)}) {
        WideColumn column(known, little);
        for (const Deviation& v : points) insert(column, v);
        const WorstPair found = column.worst();
        EXPECT_LE(found.error, want() * (1 + 1e-15) + rounding(want()));
        EXPECT_GE(found.error, want() * (1 - 1e-9) - rounding(want()));
        EXPECT_GE(column.bound(), want());
        EXPECT_LE(column.bound(), found.error * (1 + 1e-9) + rounding(want()));
        const auto index = [](double position) { return static_cast<std::size_t>(position); };
        EXPECT_NEAR(relative_error(points[index(found.m)], points[index(found.n)]), found.error,
                    rounding(want()));
        EXPECT_LE(found.m, found.n);
    }
}

TEST_P(WideColumns, WorstOfEveryPrefixIsAsIfItWereAll) {
    WideColumn column(most, little);
    for (std::size_t rows = 0; rows < points.size();) {
        insert(column, points[rows]);
        if (++rows % 256 != 0) continue;
        const double worst = worst_pair_by_search({points.data(), rows}).error;
        EXPECT_NEAR(column.worst().error, worst, 1e-9 * worst + rounding(worst)) << rows;
    }
}

TEST_P(WideColumns, TooLittleRoomWidensTheBoundWhichHolds) {
    constexpr ColumnRoom tiny{.whole = 8, .hull = 12};
    WideColumn column(most, tiny);
    for (const Deviation& v : points) {
        insert(column, v);
        ASSERT_LE(column.vertices().size(), tiny.hull + tiny.whole);
    }
    const double found = column.worst().error;
    EXPECT_LE(found, want() * (1 + 1e-15) + rounding(want()));
    EXPECT_GE(column.bound(), want());
    EXPECT_GE(found, 0.7 * want() - rounding(want()));
}

TEST_P(WideColumns, KeepsAllWhileThereIsRoomForThem) {
    WideColumn column(most, {.whole = 2048, .hull = 4096});
    for (const Deviation& v : points) insert(column, v);
    EXPECT_EQ(column.vertices().size(), points.size());
    const WorstPair found = column.worst(), whole = worst_pair_anywhere(points);
    EXPECT_EQ(found.error, whole.error);
    EXPECT_EQ(found.m, whole.m);
    EXPECT_EQ(found.n, whole.n);
}

INSTANTIATE_TEST_SUITE_P(WorstPair, WideColumns, testing::ValuesIn(columns), [](const auto& row) {
    std::string name(row.param.name);
    std::ranges::replace(name, ' ', '_');
    return name;
});

TEST(WideColumn, IsNanFromTheFirstPointThatIsNotFinite) {
    for (const double bad : {std::nan(""), static_cast<double>(HUGE_VAL)})
        for (const std::size_t place : {0U, 5U, 100U, 1000U}) {
            Points points = draw(columns[0], 2048);
            points[place].y = bad;
            points[1500].x = std::nan("");
            WideColumn column(HUGE_VAL, little);
            for (std::size_t k = 0; k < place; ++k) insert(column, points[k]);
            EXPECT_FALSE(std::isnan(column.worst().error));
            for (std::size_t k = place; k < points.size(); ++k) insert(column, points[k]);
            EXPECT_TRUE(std::isnan(column.worst().error));
            EXPECT_EQ(column.worst().m, static_cast<double>(place));
            EXPECT_EQ(column.worst().n, static_cast<double>(place));
            EXPECT_TRUE(column.vertices().empty());
        }
}

TEST(WideColumn, OfAMillionEqualPointsIsOneOfThemWithItself) {
    WideColumn column(4);
    for (std::size_t m = 0; m < 1'000'000; ++m) column.insert(at(0, 2, static_cast<double>(m)));
    EXPECT_EQ(column.worst().error, 3);
    EXPECT_EQ(column.worst().m, 0);
    EXPECT_EQ(column.worst().n, 0);
    EXPECT_LE(column.vertices().size(), 1u);
}

TEST(WideColumn, OfAMillionPointsInNoBetterDirectionHasABoundWithinABillionth) {
    Seeded random(1);
    const Column& curve = *std::ranges::find(columns, std::string("constant width"), &Column::name);
    WideColumn column(std::exp(2e-7) * (1 + 0x1p-50));
    for (std::size_t m = 0; m < 1'000'000; ++m)
        insert(column, curve.point(random, static_cast<double>(m)));
    EXPECT_NEAR(column.worst().error, 2, 2e-9);
    EXPECT_LE(column.bound(), column.worst().error * (1 + 1e-9));
    EXPECT_GE(column.bound(), 2);
    EXPECT_LE(column.vertices().size(), ColumnRoom().hull);
}

TEST(WideColumn, OfNothingIsNoError) { EXPECT_EQ(WideColumn(1).worst().error, 0); }

}  // namespace
}  // namespace rope
