// The ends of islands of bases, compared with searches that skip nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/cosine_sum.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/cosine_sum_oracle.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace island_end_test {

using oracle::by_mpfr;

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
    const CosineSum sum(pairs, ln(base));
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
        EXPECT_FALSE(is_ever_negative({d128, ln(end.base)}, context));
        EXPECT_LT(by_mpfr(d128, std::nextafter(end.base, fails), *end.position), 0);
    }
}

// Other islands lie above it, with gaps.
TEST(IslandEnd, IsNotThatOfAnIslandBeyondAGap) {
    for (const Recorded& each : recorded) {
        const double end = island_end(d128, each.context, each.holds, each.fails).base;
        for (int k = 1; k < 32; ++k) {
            const double base = each.holds + (end - each.holds) * k / 32;
            EXPECT_FALSE(is_ever_negative({d128, ln(base)}, each.context)) << base;
        }
    }
}

}  // namespace island_end_test
}  // namespace rope
