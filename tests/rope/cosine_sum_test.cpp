// B(s) compared with MPFR, one distance at a time and in blocks of 64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/cosine_sum_oracle.hpp"
#include "rope/seeded.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

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

// Skipped stretches are above the limit, and the kept ones are the lowest: compared with the sums
// at every distance.

constexpr std::uint64_t size = CosineScan::size;

double margin_of(const CosineSum& sum) {
    const double pairs = sum.pairs().rotating;
    return 2 * pairs * (1.5 * pairs + 33) * 0x1p-24 + sum.error();
}

double least_of_block(CosineScan& scan, std::uint64_t first) {
    std::vector<double> values(size);
    return scan.fill(first, values.data());
}

// Returns the number of blocks that it was given.
std::uint64_t expect_found(const CosineSum& sum, std::uint64_t begin, std::uint64_t end,
                           double limit) {
    CosineScan scan(sum), exact(sum);
    LowStretches stretches(scan);
    std::uint64_t given = 0, at = begin;
    while (at < end) {
        const auto block = stretches.next(at, end, limit);
        const std::uint64_t to = block ? block->first : end;
        for (; at < to; at += size) EXPECT_GT(least_of_block(exact, at), limit) << at;
        if (!block) break;
        const double least = least_of_block(exact, at);
        EXPECT_LE(block->low, limit);
        EXPECT_LE(block->low, least + sum.error()) << at;
        EXPECT_GE(block->low, least - margin_of(sum)) << at;
        at += size;
        ++given;
    }
    return given;
}

TEST(LowStretches, PassOverNoDistanceAtWhichTheSumIsLow) {
    Seeded random(5);
    for (const PairCounts pairs :
         {PairCounts{1, 0}, {2, 0}, {3, 1}, {7, 3}, {16, 0}, {33, 1}, {64, 0}, {200, 9}})
        for (int k = 0; k < 30; ++k) {
            const CosineSum sum(pairs, ln(std::exp2(random.within(0, 45))));
            const std::uint64_t begin = random.below(std::uint64_t{1} << (6 * (k % 5))) * size;
            const double limit = pairs.passing + pairs.rotating * random.within(-0.5, 0.5);
            (void)expect_found(sum, begin, begin + 70000, limit);
        }
}

// Frequencies in any order, as a Spec's list may have.
TEST(LowStretches, AreFoundForASpecsListOfFrequencies) {
    Seeded random(6);
    for (const double base : {1e4, 5e5, 1e8}) {
        FrequencyPlan plan = plan_frequencies(spec_of(96, base), exact_precision);
        for (std::size_t k = plan.pairs.size() - 1; k > 0; --k)
            std::swap(plan.pairs[k], plan.pairs[random.below(k + 1)]);
        const CosineSum sum(plan, 2);
        for (const double limit : {-8., 0., 4., 12.}) (void)expect_found(sum, 0, 200000, limit);
    }
}

// At a base that holds up to 2^24.
TEST(LowStretches, SkipNearlyAllIfABaseHolds) {
    const CosineSum sum({64, 0}, ln(2e11));
    constexpr std::uint64_t from = std::uint64_t{1} << 23, blocks = 8192;
    EXPECT_LT(expect_found(sum, from, from + blocks * size, 0), blocks / 500);
    EXPECT_EQ(expect_found(sum, from, from + blocks * size, 64), blocks);
}

struct Kept {
    std::uint64_t context;
    std::size_t most;
    double base;
};

// The lowest of all that were evaluated; slightly fewer than `most` if a sample chose them.
TEST(BestBlocks, AreThoseOfMostMerit) {
    for (const Kept& each : {Kept{4000, 16, 1e4},
                             {1 << 17, 32, 3e5},
                             {1 << 20, 256, 2e7},
                             {1 << 20, 256, 1e9},
                             {1 << 20, 1024, 1e5}})
        for (const Merit kind : {Merit::depth, Merit::reach}) {
            const CosineSum sum({64, 0}, ln(each.base));
            CosineScan scan(sum);
            const BestBlocks best = best_blocks(sum, each.context, each.most, kind);
            ASSERT_LE(best.blocks.size(), each.most);
            ASSERT_GE(best.blocks.size(), each.most / 3) << each.base;
            std::set<std::uint64_t> kept;
            for (const RatedBlock& block : best.blocks) kept.insert(block.first);
            bool has_all = true;
            for (std::uint64_t first = 0; first <= each.context; first += size) {
                const double least = least_of_block(scan, first) + margin_of(sum);
                const double s = static_cast<double>(first + size / 2);
                const double merit = kind == Merit::reach && least < 0 ? -least / (s * s) : -least;
                if (kept.contains(first)) continue;
                has_all = has_all && least > 0;
                if (first < best.seen * size) {
                    ASSERT_LE(merit, best.blocks.back().merit) << first;
                }
            }
            EXPECT_TRUE(has_all || !best.has_all) << each.context << ' ' << each.base;
            EXPECT_EQ(best.has_all, each.base == 1e9) << each.context;
        }
}

}  // namespace cosine_sum_test
}  // namespace rope
