#include "rope/base_bound/base_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/oracle.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

namespace rope::base_bound_test {

using oracle::by_mpfr;

constexpr PairCounts d128{64, 0};

BaseBound bound_of(PairCounts pairs, std::uint64_t context, int digits = 2) {
    return bound_base({pairs, context, digits});
}

// The table of arXiv 2405.14591 with d = 128, recomputed by a separate exclusion sweep with 40
// digits.
struct Row {
    std::uint64_t context;
    double infimum;
    std::uint64_t binding;
    double on_grid, largest_failing;
};
constexpr Row table[] = {
    {1000, 4206.01922326284, 884, 4.3e3, 6018.28085727957},
    {1024, 4293.43756926258, 1009, 4.3e3, 6018.28085727957},
    {2000, 11587.2443031111, 1788, 1.6e4, 22764.3037924966},
    {2048, 11587.2443031111, 1788, 1.6e4, 22764.3037924966},
    {4000, 26912.4782259947, 3572, 2.7e4, 58789.5041506316},
    {4096, 26952.3392278579, 4012, 2.9e4, 58789.5041506316},
    {8000, 83613.4273793557, 6846, 8.4e4, 394327.904589572},
    {8192, 83763.8410154344, 8172, 8.4e4, 394327.904589572},
};

TEST(BaseBound, IsTheRecordedTable) {
    for (const Row& row : table) {
        const BaseBound bound = bound_base({d128, row.context, 2, 2 * row.largest_failing});
        ASSERT_TRUE(bound.infimum && bound.on_grid && bound.largest_failing);
        EXPECT_TRUE(bound.proved);
        EXPECT_NEAR(bound.infimum->base / row.infimum, 1, 1e-14) << row.context;
        EXPECT_EQ(bound.infimum->position, row.binding) << row.context;
        EXPECT_EQ(bound.on_grid, row.on_grid) << row.context;
        EXPECT_NEAR(*bound.largest_failing / row.largest_failing, 1, 1e-14) << row.context;
    }
    EXPECT_EQ(bound_of(d128, 2048).islands.size(), 9U);
}

// The infimum is the double at which MPFR's sum changes its sign.
TEST(BaseBound, OfLongContextsIsWhereTheSumOfTheDistanceThatBindsTurns) {
    const std::pair<std::uint64_t, IslandEnd> recorded[] = {{131072, {4869104.370528781, 124837}},
                                                            {1048576, {65374955.144081, 935093}}};
    for (const auto& [context, end] : recorded) {
        const BaseBound bound = bound_base({d128, context, 2, 1.0});
        ASSERT_TRUE(bound.proved && bound.infimum);
        EXPECT_EQ(bound.infimum->base, end.base);
        EXPECT_EQ(bound.infimum->position, end.position);
        EXPECT_GE(by_mpfr(d128, end.base, *end.position), 0);
        EXPECT_LT(by_mpfr(d128, std::nextafter(end.base, 0), *end.position), 0);
        EXPECT_FALSE(scan_base(d128, end.base, context).first_negative);
    }
}

// L = 1000·k, not 1024·k: the published 2.7e4 fails at s = 4079.
TEST(BaseBound, AgreesWithThePublishedBasesWhereTheContextIsThousands) {
    EXPECT_EQ(bound_base({d128, 64000, 2, 1.0}).on_grid, 2.1e6);  // the others are above
    EXPECT_EQ(scan_base(d128, 2.7e4, 4096).first_negative, 4079U);
}

TEST(BaseBound, GridsOfMoreDigitsComeCloserToTheInfimum) {
    double before = HUGE_VAL;
    for (int digits = 1; digits <= 6; ++digits) {
        const BaseBound bound = bound_base({d128, 2048, digits, 1.0});
        EXPECT_LE(*bound.on_grid, before);
        EXPECT_GE(*bound.on_grid, bound.infimum->base);
        EXPECT_FALSE(scan_base(d128, *bound.on_grid, 2048).first_negative);
        before = *bound.on_grid;
    }
}

// 45 of the ratios 1 + 1/64 that rounds test lie between 100 and 200.
TEST(BaseBound, OfOneDigitIsFoundPastRoundsThatHaveNone) {
    const BaseQuestion question{
        .pairs = {23, 5}, .context = 173, .digits = 1, .search_to = 1.0, .threads = 1};
    const BaseBound bound = bound_base(question);
    EXPECT_EQ(bound.on_grid, 200);
    EXPECT_FALSE(scan_base(question.pairs, 100, question.context).holds());
}

TEST(BaseBound, RoundsUpInDecimal) {
    EXPECT_EQ(round_up_to_digits(4206.01, 2), 4300);
    EXPECT_EQ(round_up_to_digits(4300, 2), 4300);
    EXPECT_EQ(round_up_to_digits(std::nextafter(4300, 1e9), 2), 4400);
    EXPECT_EQ(round_up_to_digits(9901, 2), 10000);
    EXPECT_EQ(round_up_to_digits(9.99, 1), 10);
    EXPECT_EQ(round_up_to_digits(1.001, 3), 1.01);
    EXPECT_EQ(round_up_to_digits(1, 1), 1);
    EXPECT_EQ(round_up_to_digits(1.5e22, 1), 2e22);
}

TEST(BaseBound, StatesIfEveryBaseHoldsOrNoneDoes) {
    for (const auto& [pairs, context] : std::vector<std::pair<PairCounts, std::uint64_t>>{
             {{32, 32}, 5000}, {{32, 40}, 5000}, {d128, 0}, {d128, 1}}) {
        const BaseBound bound = bound_of(pairs, context);
        EXPECT_EQ(bound.infimum->base, 1);
        EXPECT_FALSE(bound.infimum->position || bound.largest_failing);
        EXPECT_EQ(bound.islands.size(), 1U);
    }
    const BaseBound none = bound_of({1, 0}, 2);  // only cos s
    EXPECT_FALSE(none.infimum || none.on_grid);
    EXPECT_TRUE(none.proved && none.islands.empty());
    // cos 355 is −1 but for 5·10⁻¹⁰: (355/√b)²/2 must be less
    EXPECT_NEAR(bound_of({2, 0}, 1000).infimum->base / 138689876644293.0, 1, 1e-12);
}

TEST(BaseBound, SearchesUpToTheGivenBase) {
    const BaseBound below = bound_base({d128, 2048, 2, 1000.0});
    EXPECT_TRUE(below.islands.empty() && below.largest_failing_proved());
    EXPECT_EQ(below.largest_failing, 1000);
    const BaseBound at_the_least = bound_base({d128, 1, 2, 1.0});  // base 1 holds
    EXPECT_EQ(at_the_least.islands.size(), 1U);
    EXPECT_FALSE(at_the_least.largest_failing);
    const BaseBound within = bound_base({d128, 2048, 2, 12000.0});
    EXPECT_EQ(within.islands.size(), 1U);
    EXPECT_EQ(within.largest_failing, 12000);
    EXPECT_FALSE(within.largest_failing_proved());
    const BaseBound far = bound_base({{8, 0}, 30, 2, largest_base});
    EXPECT_EQ(far.searched_to, 1000 * far.infimum->base);
}

TEST(BaseBound, RefusesMoreWorkThanItsLimit) {
    EXPECT_THROW(bound_of(d128, (std::uint64_t{1} << 27) + 1), InputError);
    EXPECT_THROW(bound_of({32768, 0}, (1 << 18) + 1), InputError);
}

// One of two pairs does not rotate, so every base holds; with one pair none does.
TEST(BaseBound, TakesContextsTo2To27) {
    constexpr std::uint64_t longest = std::uint64_t{1} << 27;
    EXPECT_EQ(bound_base({{1, 1}, longest, 2, 1.0}).infimum->base, 1);
    EXPECT_FALSE(bound_base({{1, 0}, longest, 2, 1.0}).infimum);
}

TEST(BaseBound, IsTheSameForAnyNumberOfThreads) {
    BaseQuestion question{.pairs = {20, 0}, .context = 3000, .threads = 1};
    const BaseBound one = bound_base(question);
    EXPECT_GT(one.islands.size(), 10U);
    for (const unsigned threads : {2U, 3U, 8U, 64U}) {
        question.threads = threads;
        const BaseBound other = bound_base(question);
        EXPECT_EQ(other.infimum->base, one.infimum->base);
        EXPECT_EQ(other.infimum->position, one.infimum->position);
        EXPECT_EQ(other.on_grid, one.on_grid);
        ASSERT_EQ(other.islands.size(), one.islands.size());
        for (std::size_t k = 0; k < one.islands.size(); ++k)
            for (const auto end : {&Island::from, &Island::to}) {
                EXPECT_EQ((other.islands[k].*end).base, (one.islands[k].*end).base);
                EXPECT_EQ((other.islands[k].*end).position, (one.islands[k].*end).position);
            }
    }
}

// First negative distances of Llama's bases, and the least by MPFR.
TEST(BaseBound, ScansOneBase) {
    EXPECT_EQ(scan_base(d128, 1e4, 131072).first_negative, 1707U);
    EXPECT_EQ(scan_base(d128, 5e5, 131072).first_negative, 18438U);
    EXPECT_EQ(scan_base(d128, 1e6, 131072).first_negative, 27115U);
    EXPECT_FALSE(scan_base(d128, 1e4, 1706).first_negative);
    EXPECT_TRUE(scan_base(d128, 1e4, 1707).first_negative);
    const BaseScan scan = scan_base(d128, 1e4, 300);
    double least = HUGE_VAL;
    for (std::uint64_t s = 0; s <= 300; ++s) least = std::min(least, by_mpfr(d128, 1e4, s));
    EXPECT_NEAR(scan.least, least, 1e-11);
    EXPECT_NEAR(by_mpfr(d128, 1e4, scan.least_position), least, 1e-11);
}

TEST(BaseBound, FindsHowFarABaseHoldsBeyondTheContext) {
    const BaseScan scan = scan_sum(CosineSum(d128, 1e6), 64, 1 << 20);
    EXPECT_TRUE(scan.holds());
    EXPECT_EQ(scan.first_negative, 27115U);
    EXPECT_EQ(scan.searched_to, 1U << 20);
    EXPECT_LE(scan.least_position, 64U);
    EXPECT_FALSE(scan_sum(CosineSum(d128, 1e6), 30000, 0).holds());
    EXPECT_FALSE(scan_sum(CosineSum(d128, 1e6), 64, 27114).first_negative);
}

TEST(BaseBound, HoldsAtEveryDistanceIfHalfOfThePairsDoNotRotate) {
    EXPECT_FALSE(scan_base({32, 32}, 1e4, 64).searched_to);
    EXPECT_TRUE(scan_base({33, 31}, 1e4, 64).searched_to);
    // b = 1: all pairs rotate alike
    EXPECT_EQ(scan_base({4, 0}, 1, 64).first_negative, 2U);
}

// The plan's frequencies, one distance after the other with MPFR.
std::optional<std::uint64_t> first_negative_by_mpfr(const FrequencyPlan& plan,
                                                    std::uint32_t passing, std::uint64_t last) {
    oracle::Real sum, angle(400);
    for (std::uint64_t s = 0; s <= last; ++s) {
        mpfr_set_ui(sum, passing, MPFR_RNDN);
        for (const PlannedFrequency& pair : plan.pairs) {
            mpfr_mul_ui(angle, pair.inv_freq.raw(), s, MPFR_RNDN);
            mpfr_cos(angle, angle, MPFR_RNDN);
            mpfr_add(sum, sum, angle, MPFR_RNDN);
        }
        if (mpfr_sgn(static_cast<mpfr_srcptr>(sum)) < 0) return s;
    }
    return std::nullopt;
}

TEST(BaseBound, TestsTheFrequenciesOfAnySpec) {
    const Scaling proportional{.rope_type = "proportional", .partial_rotary_factor = 0.75};
    for (const Scaling& scaling : {yarn(4, 512), llama3(8, 1, 4, 512), proportional, he_xu()})
        for (const std::uint32_t passing : {0U, 2U}) {
            const FrequencyPlan plan =
                plan_frequencies(spec_of(32, 1e3, scaling, 64), exact_precision);
            const auto want = first_negative_by_mpfr(plan, passing, 20000);
            EXPECT_EQ(scan_sum(CosineSum(plan, passing), 16, 20000).first_negative, want)
                << scaling.rope_type << ' ' << passing;
            EXPECT_EQ(CosineSum(plan, passing).is_never_negative(), false);
        }
    // B(n) = cos(π/2) is 0
    for (const std::uint64_t n : {64U, 1024U, 2048U}) {
        const FrequencyPlan pair =
            plan_frequencies(spec_of(2, 1e4, Scaling{"he_xu"}, n), exact_precision);
        EXPECT_EQ(scan_sum(CosineSum(pair, 0), 16, 20000).first_negative, n + 1);
    }
}

// Bounds for many heads and contexts, compared with B(s) summed in long double at other
// bases. A search without progress runs into this file's TIMEOUT.

// The least B(s), s = 0…N, by rotating each pair from one s to the next; after a negative sum, any
// negative B(s).
long double least_by_hand(PairCounts pairs, double base, std::uint64_t context) {
    struct Pair {
        long double cos, sin, x, y;
    };
    std::vector<Pair> turning;
    for (std::uint32_t i = 0; i < pairs.rotating; ++i) {
        const long double theta =
            std::pow(static_cast<long double>(base), -1.0L * i / pairs.rotating);
        turning.push_back({std::cos(theta), std::sin(theta), 1, 0});
    }
    long double least = pairs.rotating + pairs.passing;
    for (std::uint64_t s = 1; s <= context && least >= 0; ++s) {
        long double sum = pairs.passing;
        for (Pair& p : turning) {
            const long double x = p.x;
            p.x = x * p.cos - p.y * p.sin;
            p.y = x * p.sin + p.y * p.cos;
            sum += p.x;
        }
        least = std::min(least, sum);
    }
    return least;
}

// first·ratio^k below last
std::vector<double> bases(double first, double last, double ratio) {
    std::vector<double> bases;
    while (first < last) {
        bases.push_back(first);
        first *= ratio;
    }
    return bases;
}

constexpr double near = 1e-6;  // closer to a root the long double sums may have another sign

// With islands up to `reach` times the infimum.
void expect_as_by_hand(PairCounts pairs, std::uint64_t context, double reach, double ratio) {
    SCOPED_TRACE("--rotary-dim " + std::to_string(2 * pairs.rotating) + " --context " +
                 std::to_string(context));
    BaseQuestion question{.pairs = pairs, .context = context, .search_to = 1};
    const auto lowest = bound_base(question).infimum;
    if (lowest) question.search_to = reach * lowest->base;
    const BaseBound bound = bound_base(question);
    EXPECT_TRUE(bound.proved);
    const double infimum = bound.infimum ? bound.infimum->base : largest_base;
    for (const double base : bases(1, infimum * (1 - near), ratio))
        ASSERT_LT(least_by_hand(pairs, base, context), 0) << "below the infimum: " << base;
    if (!bound.infimum) return;
    EXPECT_GE(least_by_hand(pairs, infimum * (1 + near), context), 0) << infimum;
    for (std::size_t k = 0; k < bound.islands.size(); ++k) {
        const auto& [from, to] = bound.islands[k];
        ASSERT_LT(from.base, to.base);
        for (const double base : bases(from.base * (1 + near), to.base * (1 - near), ratio))
            ASSERT_GE(least_by_hand(pairs, base, context), 0) << "in an island: " << base;
        if (!to.position) continue;
        const bool is_last = k + 1 == bound.islands.size();
        const double next = is_last ? bound.searched_to : bound.islands[k + 1].from.base;
        ASSERT_LT(to.base, next);
        for (const double base : bases(to.base * (1 + near), next * (1 - near), ratio))
            ASSERT_LT(least_by_hand(pairs, base, context), 0) << "between islands: " << base;
    }
}

TEST(BaseBoundGrid, AgreesWithPlainSumsForEveryHeadUpTo64) {
    for (std::uint32_t pairs = 1; pairs <= 32; ++pairs)
        for (const std::uint64_t context : {10U, 64U, 500U})
            expect_as_by_hand({pairs, 0}, context, pairs <= 4 ? 10 : 2, 1.01);
    for (const PairCounts pairs : {PairCounts{12, 4}, PairCounts{3, 2}})
        expect_as_by_hand(pairs, 40, 2, 1.01);
}

TEST(BaseBoundGrid, AgreesWithPlainSumsUpToLongContexts) {
    for (const std::uint32_t pairs : {1U, 2U, 3U, 4U, 5U, 8U, 16U, 24U, 32U})
        for (const std::uint64_t context : {1024U, 4096U})
            expect_as_by_hand({pairs, 0}, context, 2, 1.05);
}

// A decade contains 900000 bases of six digits.
TEST(BaseBoundGrid, FindsRoundBasesOfSixDigitsWithoutTheProofAsWithIt) {
    const std::pair<PairCounts, std::uint64_t> cases[] = {
        {{2, 0}, 1000}, {{4, 0}, 100'000}, {{12, 4}, 1000}, {{64, 0}, 4096}};
    for (const auto& [pairs, context] : cases)
        EXPECT_EQ(first_of_digits(pairs, context, 1, largest_base, 6),
                  bound_base({pairs, context, 6, 1.0}).on_grid);
}

// A used-up witness hid the others from the next search, which found the same island for ever.
TEST(BaseBoundGrid, EndsForHeadsOf8) {
    for (const std::uint64_t context : {60U, 62U, 63U, 65U, 256U, 1000U, 2048U})
        expect_as_by_hand({4, 0}, context, 10, 1.01);
}

}  // namespace rope::base_bound_test
