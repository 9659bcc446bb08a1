// B(s) compared with MPFR, one distance at a time and in blocks of 64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/cosine_sum_oracle.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace cosine_sum_test {

using oracle::by_mpfr;

constexpr PairCounts d128{64, 0};

TEST(CosineSum, AgreesWithMpfrAtAnyDistance) {
    Seeded random(1);
    for (int k = 0; k < 40; ++k) {
        const PairCounts pairs{static_cast<std::uint32_t>(1 + random.below(80)),
                               static_cast<std::uint32_t>(random.below(3))};
        const double base = std::exp2(random.within(0, 99));
        const CosineSum sum(pairs, ln(base));
        for (int j = 0; j < 8; ++j) {
            const std::uint64_t s = random.below(std::uint64_t{1} << (1 + random.below(32)));
            const double want = by_mpfr(pairs, base, s);
            EXPECT_NEAR(sum.at(s).value, want, sum.error()) << base << ' ' << s;
            EXPECT_NEAR(sum.exact(s).to_double(), want, 1e-15 * (pairs.rotating + 2)) << base;
        }
    }
}

TEST(CosineSum, IsScannedAtEveryDistanceOnce) {
    for (const std::uint32_t pairs : {1U, 7U, 64U}) {
        const CosineSum sum({pairs, 1}, ln(5000));
        CosineScan scan(sum);
        std::vector<double> values(CosineScan::size);
        for (const std::uint64_t first : {0U, 64U, 4096U, 128U, 1048576U - 64U}) {
            const double least = scan.fill(first, values.data());
            for (std::size_t k = 0; k < values.size(); ++k)
                EXPECT_NEAR(values[k], sum.at(first + k).value, sum.error()) << first + k;
            EXPECT_EQ(least, *std::min_element(values.begin(), values.end()));
        }
    }
}

TEST(CosineSum, IsBoundedFromBelowInFloat32ByNoMoreThanItsError) {
    Seeded random(3);
    std::vector<double> values(CosineScan::size);
    for (const PairCounts pairs : {PairCounts{1, 0}, {7, 3}, {16, 0}, {33, 1}, {64, 0}, {500, 9}}) {
        const double error = pairs.rotating * (1.01 * pairs.rotating + 10) * 0x1p-24;
        for (int k = 0; k < 20; ++k) {
            const CosineSum sum(pairs, ln(std::exp2(random.within(0, 40))));
            CosineScan scan(sum);
            std::uint64_t first = random.below(std::uint64_t{1} << 26) * CosineScan::size;
            for (int block = 0; block < 40; ++block, first += CosineScan::size) {
                const double low = scan.lower_bound(first), least = scan.fill(first, values.data());
                ASSERT_LE(low, least - sum.error()) << first;
                ASSERT_GE(low, least - 2 * error - sum.error()) << first;
            }
        }
    }
}

// A block is computed from the one before or directly.
TEST(CosineSum, IsTheSameInAnyOrderOfBlocks) {
    const CosineSum sum({64, 0}, ln(3e6));
    std::vector<double> values(CosineScan::size);
    CosineScan scan(sum);
    for (const std::uint64_t block : {70U, 71U, 3U, 4U, 32U, 34U, 33U, 31U, 0U, 32U, 33U}) {
        const std::uint64_t first = block * CosineScan::size;
        const double low = scan.lower_bound(first), least = scan.fill(first, values.data());
        EXPECT_NEAR(low, least, 0.001) << block;
        for (std::size_t k = 0; k < values.size(); ++k)
            EXPECT_NEAR(values[k], sum.at(first + k).value, sum.error()) << first + k;
    }
}

TEST(CosineSum, HasTheSlopeOfItsNeighboursAndBoundedCurvature) {
    Seeded random(2);
    for (int k = 0; k < 200; ++k) {
        const double x = random.within(1, 15), h = 1e-7;
        const std::uint64_t s = 1 + random.below(3000);
        const auto at = [&](double y) { return CosineSum(d128, BigReal(y, {200})).at(s); };
        const CosineSum::Local here = at(x), above = at(x + h);
        EXPECT_NEAR((above.value - here.value) / h, here.slope, here.bend * h + 1e-4);
        EXPECT_LE(std::abs(above.slope - here.slope), here.bend * h * (1 + 1e-6) + 1e-7);
        EXPECT_LE(above.bend, here.bend);
    }
}

}  // namespace cosine_sum_test
}  // namespace rope
