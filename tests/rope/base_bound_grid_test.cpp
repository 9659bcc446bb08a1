// Bounds for many heads and contexts, compared with B(s) summed in long double at other
// bases. A search without progress runs into this file's TIMEOUT.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/base_bound/base_bound.hpp"

namespace rope {
namespace base_bound_grid_test {

// The least B(s), s = 0…N, by rotating each pair from one s to the next; after a negative sum, any
// negative B(s).
long double least_by_hand(std::uint32_t pairs, double base, std::uint64_t context) {
    struct Pair {
        long double cos, sin, x, y;
    };
    std::vector<Pair> turning;
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const long double theta = std::pow(static_cast<long double>(base), -1.0L * i / pairs);
        turning.push_back({std::cos(theta), std::sin(theta), 1, 0});
    }
    long double least = pairs;
    for (std::uint64_t s = 1; s <= context && least >= 0; ++s) {
        long double sum = 0;
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
void expect_as_by_hand(std::uint32_t pairs, std::uint64_t context, double reach, double ratio) {
    SCOPED_TRACE("--dim " + std::to_string(2 * pairs) + " --context " + std::to_string(context));
    BaseQuestion question{.pairs = {pairs, 0}, .context = context, .search_to = 1};
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
            expect_as_by_hand(pairs, context, pairs <= 4 ? 10 : 2, 1.01);
}

TEST(BaseBoundGrid, AgreesWithPlainSumsUpToLongContexts) {
    for (const std::uint32_t pairs : {1U, 2U, 3U, 4U, 5U, 8U, 16U, 24U, 32U})
        for (const std::uint64_t context : {1024U, 4096U})
            expect_as_by_hand(pairs, context, 2, 1.05);
}

// A decade contains 900000 bases of six digits.
TEST(BaseBoundGrid, FindsRoundBasesOfSixDigitsWithoutTheProofAsWithIt) {
    const std::pair<PairCounts, std::uint64_t> cases[] = {
        {{2, 0}, 1000}, {{4, 0}, 100'000}, {{12, 4}, 1000}, {{64, 0}, 4096}};
    for (const auto& [pairs, context] : cases) {
        BaseQuestion question{.pairs = pairs, .context = context, .digits = 6, .search_to = 1};
        const BaseBound proved = bound_base(question);
        question.prove = false;
        const BaseBound quick = bound_base(question);
        ASSERT_TRUE(proved.on_grid && proved.infimum && quick.infimum);
        EXPECT_EQ(quick.on_grid, proved.on_grid) << context;
        EXPECT_GE(quick.infimum->base, proved.infimum->base) << context;
    }
}

// A used-up witness hid the others from the next search, which found the same island for ever.
TEST(BaseBoundGrid, EndsForHeadsOf8) {
    for (const std::uint64_t context : {60U, 62U, 63U, 65U, 256U, 1000U, 2048U})
        expect_as_by_hand(4, context, 10, 1.01);
}

}  // namespace base_bound_grid_test
}  // namespace rope
