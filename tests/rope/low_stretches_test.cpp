// Skipped stretches are above the limit, and the kept ones are the lowest: compared with the sums
// at every distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"
#include "rope/seeded.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

namespace rope {
namespace low_stretches_test {

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

}  // namespace low_stretches_test
}  // namespace rope
