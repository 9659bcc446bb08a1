// The bound over all pairs of positions, and the pair of positions in the report.

#include <gtest/gtest.h>

#include <cmath>

#include "rope/checks/report.hpp"
#include "rope/session/judge.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace rope::relative_position_test {

constexpr std::uint64_t rows = 8192;

// The angles `angle(m, θ)` for a head of 32 dimensions in float32.
template <class Angle>
Finding found_of(Angle angle) {
    const Spec spec = spec_of(32, 10000);
    const OwnTable table = table_of_angles(
        counted(rows), spec.pairs(), Format::float32,
        [&](double m, std::uint32_t i) { return angle(m, std::pow(10000, -2.0 * i / 32)); });
    return judge(spec, *table_rows(spec, table), {1, {"relative-position"}}).findings.at(0);
}

TEST(RelativePosition, PassesForRowsWithASharedTurn) {
    const Finding found = found_of([](double m, double theta) { return (m + 1000) * theta; });
    EXPECT_EQ(found.verdict, Verdict::holds);
}

TEST(RelativePosition, IsViolatedByOneRowThatRotatesOtherwise) {
    const double astray = 6000;
    for (const double turn : {0.0, 1000.0}) {
        const Finding found = found_of([&](double m, double theta) {
            return (m + turn) * theta + (m == astray && theta == 1 ? 0.5 : 0);
        });
        EXPECT_EQ(found.verdict, Verdict::violated);
        ASSERT_TRUE(found.worst);
        EXPECT_EQ(found.worst->positions.back(), astray);
        EXPECT_NEAR(found.observed, 2 * std::sin(0.25), 1e-6);
    }
}

// The first row's angles have nothing in common with the others, so that it gives no bound on them.
TEST(RelativePosition, OfAWrongFirstRowIsTheErrorOfOtherRowsWithIt) {
    const Finding found = found_of(
        [](double m, double theta) { return m * theta + (m == 0 && theta == 1 ? 0.5 : 0); });
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_NEAR(found.observed, 2 * std::sin(0.25), 1e-6);
    ASSERT_TRUE(found.worst);
    EXPECT_EQ(found.worst->positions.front(), 0);
}

// Vectors that are zero in a pair, in the first rows or in others, do not determine its rotation.
TEST(RelativePosition, OfVectorsThatAreZeroIsThatOfTheOthers) {
    const Spec spec = interleaved(spec_of(4, 10000));
    std::vector<double> positions, before, after;
    for (int m = 0; m < 100; ++m) {
        positions.push_back(m);
        for (int i = 0; i < 2; ++i) {
            const double x = i == 0 && (m < 40 || m % 3 == 0) ? 0 : 1, phi = m + 1000;
            before.insert(before.end(), {x, 0});
            after.insert(after.end(),
                         {round_to(Format::float32, x * std::cos(phi / (99 * i + 1))),
                          round_to(Format::float32, x * std::sin(phi / (99 * i + 1)))});
        }
    }
    const auto dumped =
        rotated_rows(spec, {positions, {before, 4}, {after, 4}, Format::float32, "", {}});
    const Report report = judge(spec, *dumped, {1, {"relative-position"}});
    EXPECT_EQ(report.findings.at(0).verdict, Verdict::holds) << report.findings.at(0).observed;
}

}  // namespace rope::relative_position_test
