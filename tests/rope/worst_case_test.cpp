#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace worst_case_test {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Comparison {
    double observed, allowed;
};

// The position of its witness is the comparison's index.
Finding worst_case(const std::vector<Comparison>& comparisons) {
    WorstCase worst_case;
    worst_case.add_samples(comparisons.size());
    for (std::size_t k = 0; k < comparisons.size(); ++k)
        worst_case.add(comparisons[k].observed, comparisons[k].allowed, [&] {
            return Witness{{static_cast<double>(k)}, std::nullopt, comparisons[k].observed, 0};
        });
    Finding finding;
    worst_case.report_to(finding);
    return finding;
}

TEST(WorstCase, HoldsUpToTheTolerance) {
    EXPECT_EQ(worst_case({{1, 1}}).verdict, Verdict::holds);
    EXPECT_EQ(worst_case({{0, 0}}).verdict, Verdict::holds);
    EXPECT_EQ(worst_case({{0x1.0000000000001p0, 1}}).verdict, Verdict::violated);
}

TEST(WorstCase, NoSamplesNeverHold) {
    const Finding finding = worst_case({});
    EXPECT_EQ(finding.verdict, Verdict::not_applicable);
    EXPECT_FALSE(finding.worst);
}

TEST(WorstCase, NanIsWorstAndIsKept) {
    for (const auto& comparisons :
         {std::vector<Comparison>{{nan_value, 1}, {5, 1}, {infinity, 1}, {nan_value, 1}},
          std::vector<Comparison>{{nan_value, 1}, {0, 1}},
          std::vector<Comparison>{{nan_value, 0}, {1, 0}}}) {
        const Finding finding = worst_case(comparisons);
        EXPECT_EQ(finding.verdict, Verdict::violated);
        EXPECT_TRUE(std::isnan(finding.observed));
        EXPECT_EQ(finding.worst->positions.at(0), 0U);
    }
    const Finding last = worst_case({{infinity, 1}, {nan_value, 1}});
    EXPECT_TRUE(std::isnan(last.observed));
    EXPECT_EQ(last.worst->positions.at(0), 1U);
}

TEST(WorstCase, AnInfiniteErrorIsViolated) {
    EXPECT_EQ(worst_case({{infinity, 1}}).verdict, Verdict::violated);
}

TEST(WorstCase, AZeroToleranceIsExceededByAnyError) {
    const Finding finding = worst_case({{1e-300, 0}, {2e-300, 0}, {0, 0}});
    EXPECT_EQ(finding.verdict, Verdict::violated);
    EXPECT_EQ(finding.observed, 2e-300);
    const Finding mixed = worst_case({{5, 10}, {1e-300, 0}, {9, 10}});
    EXPECT_EQ(mixed.verdict, Verdict::violated);
    EXPECT_EQ(mixed.worst->positions.at(0), 1U);
}

TEST(WorstCase, RanksByObservedOverAllowed) {
    const Finding finding = worst_case({{0.5, 1}, {0.09, 0.1}, {8, 10}});
    EXPECT_EQ(finding.worst->positions.at(0), 1U);
    EXPECT_EQ(finding.observed, 0.09);
    EXPECT_EQ(finding.allowed, 0.1);
    EXPECT_EQ(finding.verdict, Verdict::holds);
}

TEST(WorstCase, TheFirstOfEqualsIsTheWitness) {
    EXPECT_EQ(worst_case({{1, 2}, {2, 4}, {1, 2}}).worst->positions.at(0), 0U);
}

// Its product with every later tolerance is 0, which once hid all later comparisons.
TEST(WorstCase, ZeroOfZeroHidesNothing) {
    for (const double observed : {5.0, infinity, nan_value})
        EXPECT_EQ(worst_case({{0, 0}, {observed, 1}}).verdict, Verdict::violated) << observed;
    EXPECT_EQ(worst_case({{0, 0}, {0.5, 1}}).observed, 0.5);
}

// The verdict is that of the worst comparison, in any order.
TEST(WorstCase, OneBadComparisonAmongManyIsNeverLost) {
    Seeded random(1);
    for (int k = 0; k < 300; ++k) {
        std::vector<Comparison> comparisons;
        for (int n = 0; n < 50; ++n) {
            const double allowed = random.below(4) == 0 ? 0 : random.unit();
            comparisons.push_back({allowed * random.unit(), allowed});
        }
        EXPECT_EQ(worst_case(comparisons).verdict, Verdict::holds);
        Comparison& bad = comparisons[random.below(50)];
        bad.observed = k % 3 == 0 ? nan_value : bad.allowed * 1.0001 + 1e-9;
        EXPECT_EQ(worst_case(comparisons).verdict, Verdict::violated);
    }
}

TEST(WorstCase, KeepsTheFirstViolationByPositionThenPair) {
    WorstCase worst_case;
    worst_case.add_samples(4);
    worst_case.add(0, 1, [] { return Witness{}; });
    for (const auto& [position, pair] : {std::pair{9U, 0U}, {5U, 7U}, {5U, 2U}, {5U, 3U}})
        worst_case.add_violation(position, pair);
    Finding finding;
    worst_case.report_to(finding);
    EXPECT_EQ(finding.verdict, Verdict::violated);  // whatever the worst comparison gives
    ASSERT_TRUE(finding.violations);
    EXPECT_EQ(finding.violations->count, 4U);
    EXPECT_EQ(finding.violations->first_position, 5U);
    EXPECT_EQ(finding.violations->first_pair, 2U);
}

}  // namespace worst_case_test
}  // namespace rope
