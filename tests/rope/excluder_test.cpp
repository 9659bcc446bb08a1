#include <gtest/gtest.h>

#include <cmath>

#include "rope/base_bound/exclusion.hpp"
#include "rope/cosine_sum_oracle.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace excluder_test {

using oracle::by_mpfr;
using oracle::holds_by_mpfr;

// Each base is tested after others, in increasing or any order, with the distances kept from them.
TEST(Excluders, FindNoneExactlyIfTheBaseHolds) {
    Seeded random(1);
    int held = 0;
    for (int k = 0; k < 12; ++k) {
        const PairCounts pairs{static_cast<std::uint32_t>(2 + random.below(14)),
                               static_cast<std::uint32_t>(random.below(3))};
        const std::uint64_t context = 1 + random.below(std::uint64_t{1} << (3 + random.below(9)));
        Excluders excluders(context);
        for (int j = 0; j < 20; ++j) {
            const double base = std::exp2(random.within(0, 40));
            const bool holds = holds_by_mpfr(pairs, base, context);
            const CosineSum sum(pairs, ln(base));
            const Excluder found = excluders.furthest(sum);
            ASSERT_EQ(found.reach == 0, holds) << pairs.rotating << ' ' << context << ' ' << base;
            if (found.reach > 0) {
                ASSERT_LE(found.position, context);
                ASSERT_LT(by_mpfr(pairs, base, found.position), 0);
            }
            held += holds;
        }
    }
    EXPECT_GT(held, 20);
    EXPECT_LT(held, 220);
}

TEST(Excluders, ReachNoFurtherThanTheSumIsNegative) {
    Seeded random(2);
    for (int k = 0; k < 300; ++k) {
        const PairCounts pairs{static_cast<std::uint32_t>(2 + random.below(63)), 0};
        const double base = std::exp2(random.within(0, 30));
        const std::uint64_t s = 1 + random.below(std::uint64_t{1} << (1 + random.below(24)));
        const auto [position, reach] = excluder_at(CosineSum(pairs, ln(base)), s);
        ASSERT_EQ(reach > 0, by_mpfr(pairs, base, s) < 0);
        if (reach == 0) continue;
        for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
            const double beyond = base * std::exp(std::min(reach, 40.0) * part) * (1 - 1e-12);
            ASSERT_LT(by_mpfr(pairs, beyond, s), 1e-10) << base << ' ' << s << ' ' << part;
        }
    }
}

// All pairs rotate alike, and cos s is within 1/30000 of −1 first at odd multiples of 355: float32
// distinguishes no block from a negative one, and there are more than can be kept.
TEST(Excluders, DecideWhereFloat32Cannot) {
    constexpr std::uint32_t many = 30000;
    const CosineSum never({many, many}, ln(1)), once({many, many - 1}, ln(1));
    EXPECT_EQ(Excluders(4000).furthest(never).reach, 0);
    EXPECT_EQ(Excluders(354).furthest(once).reach, 0);
    const Excluder found = Excluders(4000).furthest(once);
    EXPECT_GT(found.reach, 0);
    EXPECT_EQ(found.position % 355, 0U);
}

}  // namespace excluder_test
}  // namespace rope
