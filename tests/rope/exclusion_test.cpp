#include "rope/base_bound/exclusion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/cosine_sum.hpp"
#include "rope/oracle.hpp"
#include "rope/seeded.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

namespace rope::exclusion_test {

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
            const CosineSum sum(pairs, base);
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
        const auto [position, reach] = excluder_at(CosineSum(pairs, base), s);
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
    const CosineSum never({many, many}, 1), once({many, many - 1}, 1);
    EXPECT_EQ(Excluders(4000).furthest(never).reach, 0);
    EXPECT_EQ(Excluders(354).furthest(once).reach, 0);
    const Excluder found = Excluders(4000).furthest(once);
    EXPECT_GT(found.reach, 0);
    EXPECT_EQ(found.position % 355, 0U);
}

// The ends of islands of bases, compared with searches that skip nothing.

constexpr PairCounts d128{64, 0};

// By bisection only.
SignChange halved(PairCounts pairs, std::uint64_t s, double low, double high) {
    const bool is_low_negative = by_mpfr(pairs, low, s) < 0;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(low < middle && middle < high)) return {low, high};
        ((by_mpfr(pairs, middle, s) < 0) == is_low_negative ? low : high) = middle;
    }
}

// Narrow brackets and wide ones, in which B(s) has up to hundreds of roots.
TEST(SignChange, IsThatToWhichHalvingLeads) {
    Seeded random(1);
    int brackets = 0;
    while (brackets < 60) {
        const PairCounts pairs{static_cast<std::uint32_t>(2 + random.below(40)), 0};
        const std::uint64_t s = 1 + random.below(std::uint64_t{1} << (4 + random.below(20)));
        const double low = std::exp2(random.within(0, 60));
        const double high = low * (1 + std::exp2(random.within(-40, 1)));
        if ((by_mpfr(pairs, low, s) < 0) == (by_mpfr(pairs, high, s) < 0)) continue;
        ++brackets;
        const SignChange found = sign_change(pairs, s, low, high);
        const SignChange want = halved(pairs, s, low, high);
        EXPECT_EQ(found.below, want.below) << pairs.rotating << ' ' << s << ' ' << low;
        EXPECT_EQ(found.above, want.above) << pairs.rotating << ' ' << s << ' ' << low;
    }
}

// Checks every distance again.
std::optional<std::uint64_t> furthest_of_all(PairCounts pairs, std::uint64_t context, double base) {
    const CosineSum sum(pairs, base);
    std::optional<std::uint64_t> best;
    double furthest = 0;
    for (std::uint64_t s = 0; s <= context; ++s) {
        const CosineSum::Local b = sum.at(s);
        if (!sum.is_negative(s, b.value)) continue;
        const double way = b.value / b.slope;
        if (!best || way > furthest) furthest = way, best = s;
    }
    return best;
}

// Fewer blocks than can be kept: steps down of any length skip only positive sums.
TEST(LowBlocks, FindTheDistanceWhoseRootIsFurthestBelowEachBase) {
    Seeded random(2);
    int failing = 0;
    for (int k = 0; k < 12; ++k) {
        const std::uint64_t context = 1000 + random.below(3000);
        double base = std::exp2(random.within(12, 14));
        LowBlocks blocks(d128, context, base);
        EXPECT_TRUE(blocks.has_all());
        for (int step = 0; step < 8; ++step) {
            const auto found = blocks.furthest(base);
            EXPECT_EQ(found, furthest_of_all(d128, context, base)) << context << ' ' << base;
            failing += found.has_value();
            base *= 1 - std::exp2(random.within(-30, -5));
        }
    }
    EXPECT_GT(failing, 20);
    EXPECT_LT(failing, 80);
}

// 2048 blocks, of which half can be kept: at base 10000 more have negative sums, at 1e12 none.
TEST(LowBlocks, SayWhetherAllThatMayBeNegativeAreAmongThem) {
    EXPECT_FALSE(LowBlocks(d128, (1 << 17) - 1, 1e4).has_all());
    EXPECT_TRUE(LowBlocks(d128, (1 << 17) - 1, 1e12).has_all());
}

struct Recorded {
    std::uint64_t context;
    double holds, fails;
    IslandEnd end;
};

// Checks every kept block at each step, and finds each root by bisection.
constexpr Recorded recorded[] = {
    {1 << 18, 32252518.525276419, 32281705.084796399, {32252831.801591087, 200147}},
    {1 << 18, 34367944.575213015, 34402312.519788228, {34368241.829258732, 207416}},
    {1 << 18, 36089591.363876253, 36116665.403938331, {36089764.581378564, 210169}},
    {1 << 20, 250859477.70537865, 251824229.70897987, {250866199.7218121, 848912}},
    {1 << 20, 332738387.11601681, 333996382.58811045, {332739606.76081806, 851462}},
    {1 << 20, 365934427.27894098, 367764099.41533566, {365958653.27513963, 1023924}},
    {1 << 20, 380901126.20263147, 382734688.76443464, {380907505.60010195, 1033661}},
};

TEST(IslandEnd, IsWhereTheSumOfADistanceTurns) {
    for (const auto& [context, holds, fails, want] : recorded) {
        const IslandEnd end = island_end(d128, context, holds, fails);
        EXPECT_EQ(end.base, want.base);
        EXPECT_EQ(end.position, want.position);
        EXPECT_FALSE(is_ever_negative({d128, end.base}, context));
        EXPECT_LT(by_mpfr(d128, std::nextafter(end.base, fails), *end.position), 0);
    }
}

// Other islands lie above it, with gaps.
TEST(IslandEnd, IsNotThatOfAnIslandBeyondAGap) {
    for (const Recorded& each : recorded) {
        const double end = island_end(d128, each.context, each.holds, each.fails).base;
        for (int k = 1; k < 32; ++k) {
            const double base = each.holds + (end - each.holds) * k / 32;
            EXPECT_FALSE(is_ever_negative({d128, base}, each.context)) << base;
        }
    }
}

// B(s) compared with MPFR, one distance at a time and in blocks of 64.

TEST(CosineSum, AgreesWithMpfrAtAnyDistance) {
    Seeded random(1);
    for (int k = 0; k < 40; ++k) {
        const PairCounts pairs{static_cast<std::uint32_t>(1 + random.below(80)),
                               static_cast<std::uint32_t>(random.below(3))};
        const double base = std::exp2(random.within(0, 99));
        const CosineSum sum(pairs, base);
        for (int j = 0; j < 8; ++j) {
            const std::uint64_t s = random.below(std::uint64_t{1} << (1 + random.below(32)));
            const double want = by_mpfr(pairs, base, s);
            EXPECT_NEAR(sum.at(s).value, want, sum.error()) << base << ' ' << s;
            EXPECT_NEAR(sum.nearer_zero(s, 0), want, 1e-15 * (pairs.rotating + 2)) << base;
        }
    }
}

// A block is computed from the one before or directly.
TEST(CosineSum, IsScannedAtEveryDistanceInAnyOrderOfBlocks) {
    std::vector<double> values(CosineScan::size);
    for (const auto& [pairs, base] : {std::pair{PairCounts{1, 1}, 5000.0},
                                      {PairCounts{7, 1}, 5000.0},
                                      {PairCounts{64, 1}, 5000.0},
                                      {PairCounts{64, 0}, 3e6}}) {
        const CosineSum sum(pairs, base);
        CosineScan scan(sum);
        for (const std::uint64_t block :
             {0U, 1U, 64U, 2U, 70U, 71U, 3U, 4U, 32U, 34U, 33U, 31U, 0U, 32U, 33U, 16383U}) {
            const std::uint64_t first = block * CosineScan::size;
            const double low = scan.lower_bound(first), least = scan.fill(first, values.data());
            EXPECT_NEAR(low, least, 0.001) << block;
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
        const double error = pairs.rotating * (1.01 * pairs.rotating + 20) * 0x1p-24;
        for (int k = 0; k < 20; ++k) {
            const CosineSum sum(pairs, std::exp2(random.within(0, 40)));
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

TEST(CosineSum, HasTheSlopeOfItsNeighboursAndBoundedCurvature) {
    Seeded random(2);
    for (int k = 0; k < 200; ++k) {
        const double x = random.within(1, 15), h = 1e-7;
        const std::uint64_t s = 1 + random.below(3000);
        const auto at = [&](double y) { return CosineSum(d128, std::exp(y)).at(s); };
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
    return 2 * pairs * (1.5 * pairs + 46) * 0x1p-24 + sum.error();
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
            const CosineSum sum(pairs, std::exp2(random.within(0, 45)));
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
    const CosineSum sum({64, 0}, 2e11);
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
            const CosineSum sum({64, 0}, each.base);
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

}  // namespace rope::exclusion_test
