#include "rope/base_bound/exclusion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rope/base_bound/base_bound.hpp"
#include "rope/cosine_sum_oracle.hpp"

namespace rope {
namespace exclusion_test {

using oracle::by_mpfr;
using oracle::holds_by_mpfr;

// A search ends if its witness, s = 28, excludes nothing more; the next search needs another one.
TEST(Exclusion, RisesAboveItsStartAfterAnySearch) {
    constexpr PairCounts d8{4, 0};
    Exclusion exclusion(d8, 64);
    for (int k = 0; k < 62; ++k)
        for (const double start : {4205 * std::pow(1.01, k), 21946.2}) {
            const Ascent rise = exclusion.rise(start, largest_base);
            ASSERT_TRUE(rise.end && rise.proved) << start;
            ASSERT_GT(rise.end->base, start);
            EXPECT_FALSE(holds_by_mpfr(d8, rise.end->base * (1 - 1e-12), 64)) << start;
            EXPECT_TRUE(holds_by_mpfr(d8, rise.end->base * (1 + 1e-12), 64)) << start;
        }
}

TEST(Exclusion, RisesFromTheFirstDoubleAboveAnIsland) {
    for (const PairCounts pairs : {PairCounts{4, 0}, PairCounts{8, 0}, PairCounts{3, 1}}) {
        const BaseBound bound = bound_base({pairs, 300});
        Exclusion exclusion(pairs, 300);
        for (const auto& [from, to] : bound.islands) {
            if (!to.position) continue;
            const double start = std::nextafter(to.base, HUGE_VAL);
            EXPECT_GE(by_mpfr(pairs, to.base, *to.position), -1e-13);
            const Ascent rise = exclusion.rise(start, largest_base);
            ASSERT_TRUE(rise.end && rise.proved) << to.base;
            EXPECT_GT(rise.end->base, start * (1 + 1e-9));
            EXPECT_TRUE(holds_by_mpfr(pairs, rise.end->base * (1 + 1e-9), 300));
        }
    }
}

// A search in parts finds the same as one part after the other.
TEST(Exclusion, RisesToTheInfimumOfASearchByParts) {
    for (const PairCounts pairs : {PairCounts{4, 0}, {9, 0}, {16, 2}, {40, 0}})
        for (const std::uint64_t context : {3U, 64U, 1000U}) {
            const Ascent whole = Exclusion(pairs, context).rise(1, largest_base);
            const BaseBound parts =
                bound_base({.pairs = pairs, .context = context, .search_to = 1});
            ASSERT_TRUE(whole.end && parts.infimum && whole.proved && parts.proved);
            EXPECT_EQ(parts.infimum->base, whole.end->base) << context;
            EXPECT_EQ(parts.infimum->position, whole.end->position) << context;
            const double below = whole.end->base * (1 - 1e-9);
            EXPECT_FALSE(Exclusion(pairs, context).rise(1, below).end);
        }
}

// d = 4: cos s + cos(s/√b) ≥ 0 needs b ≥ (s/ε)², ε = |s − kπ| for odd k. ε² is 1.5·10⁻¹⁵ at
// 5419351; half of it is below the error of a cosine in double.
TEST(Exclusion, ProvesWhereDoublesDoNotKnowTheSign) {
    constexpr std::uint64_t s = 5419351;
    oracle::Real pi, epsilon;
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul_ui(epsilon, pi, 1725033, MPFR_RNDN);
    mpfr_ui_sub(epsilon, s, epsilon, MPFR_RNDN);
    const double ratio = static_cast<double>(s) / mpfr_get_d(epsilon, MPFR_RNDN);
    const BaseBound bound = bound_base({{2, 0}, s});
    ASSERT_TRUE(bound.infimum);
    EXPECT_TRUE(bound.proved);
    EXPECT_EQ(bound.infimum->position, s);
    EXPECT_NEAR(bound.infimum->base / (ratio * ratio), 1, 1e-12);
}

}  // namespace exclusion_test
}  // namespace rope
