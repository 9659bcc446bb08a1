// Reports do not depend on the distribution of rows to threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/tasks.hpp"
#include "rope/checks/check.hpp"
#include "rope/seeded.hpp"
#include "rope/session/judge.hpp"

namespace rope::parallel_test {

TEST(Tasks, AreEachDoneOnce) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U})
        for (const unsigned threads : {0U, 1U, 2U, 3U, 8U}) {
            std::vector<std::atomic<int>> done(count);
            run_tasks(count, threads, [&](std::size_t k) { ++done[k]; });
            for (const auto& times : done) EXPECT_EQ(times, 1);
        }
}

TEST(Tasks, ThrowTheErrorOfTheFirstInOrderAfterAllHaveEnded) {
    for (const unsigned threads : {1U, 2U, 8U}) {
        std::atomic<int> done = 0;
        try {
            run_tasks(100, threads, [&](std::size_t k) {
                ++done;
                if (k >= 7) throw std::runtime_error(std::to_string(k));
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "7");
        }
        EXPECT_EQ(done, 100);
    }
}

struct Comparison {
    double observed, allowed;
    double position = 0;
};

void add(WorstCase& worst_case, const Comparison& each) {
    worst_case.add_samples(1);
    worst_case.add(each.observed, each.allowed,
                   [&] { return Witness{{each.position}, 0, each.observed, 0}; });
    if (!(each.observed <= each.allowed)) worst_case.add_violation(each.position, 0);
}

Finding finding_of(const WorstCase& worst_case) {
    Finding finding;
    worst_case.report_to(finding);
    return finding;
}

// Includes zeros, ties, values beyond their tolerance, and NaN.
TEST(WorstCase, OfPartsIsThatOfTheWhole) {
    Seeded random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<Comparison> all(1 + random.below(12));
        for (Comparison& each : all) {
            each = {static_cast<double>(random.below(6)), 4, static_cast<double>(random.below(20))};
            if (random.below(40) == 0) each.observed = std::nan("");
        }
        WorstCase whole, merged;
        for (const Comparison& each : all) add(whole, each);
        for (std::size_t begin = 0; begin < all.size();) {
            const std::size_t end = begin + random.below(all.size() - begin + 1);
            WorstCase part;
            for (std::size_t k = begin; k < end; ++k) add(part, all[k]);
            merged.merge(part);
            begin = end;
        }
        const Finding a = finding_of(whole), b = finding_of(merged);
        ASSERT_EQ(a.verdict, b.verdict);
        ASSERT_EQ(a.samples, b.samples);
        ASSERT_EQ(a.worst->positions, b.worst->positions);
        ASSERT_EQ(a.violations.has_value(), b.violations.has_value());
        if (!a.violations) continue;
        ASSERT_EQ(a.violations->count, b.violations->count);
        ASSERT_EQ(a.violations->first_position, b.violations->first_position);
    }
}

TEST(WorstCase, WithinItsSureShareNothingIsWorse) {
    Seeded random(2);
    for (int round = 0; round < 10000; ++round) {
        WorstCase worst_case;
        add(worst_case, {random.unit() * 2, 1 + random.unit(), 0});
        const double allowed = 1 + random.unit();
        EXPECT_FALSE(worst_case.is_worse(worst_case.sure_share() * allowed, allowed));
    }
    EXPECT_EQ(WorstCase().sure_share(), 0);
}

// Records its blocks and their number.
class Blockwise final : public RowCheck {
  public:
    Blockwise(std::uint64_t block, int& alive) : blocks_{block}, alive_(alive) { ++alive_; }
    ~Blockwise() override { --alive_; }

    void observe(const Tile&) override {}
    void merge(RowCheck& next) override {
        const auto& later = static_cast<Blockwise&>(next).blocks_;
        blocks_.insert(blocks_.end(), later.begin(), later.end());
    }
    void report_to(Finding&) override {}

    const std::vector<std::uint64_t>& blocks() const { return blocks_; }

  private:
    std::vector<std::uint64_t> blocks_;
    int& alive_;
};

TEST(OrderedMerge, IsInOrderAndKeepsOnlyBlocksThatWaitForEarlierOnes) {
    constexpr std::uint64_t count = 1000, ahead = 8;
    std::vector<std::uint64_t> order(count);
    for (std::uint64_t k = 0; k < count; ++k) order[k] = k;
    Seeded random(1);  // eight threads' blocks, ending in any order
    for (std::uint64_t k = 0; k < count; k += ahead)
        for (std::uint64_t j = ahead; j > 1; --j)
            std::swap(order[k + j - 1], order[k + random.below(j)]);
    int alive = 0, most = 0;
    OrderedMerge merge;
    for (const std::uint64_t k : order) {
        RowChecks checks;
        for (int c = 0; c < 2; ++c) checks.push_back(std::make_unique<Blockwise>(k, alive));
        merge.add(k, std::move(checks));
        most = std::max(most, alive);
    }
    EXPECT_LE(most, 2 * static_cast<int>(ahead + 1));
    const RowChecks merged = merge.take();
    ASSERT_EQ(merged.size(), 2u);
    for (const auto& check : merged) {
        const auto& blocks = static_cast<const Blockwise&>(*check).blocks();
        EXPECT_EQ(blocks.size(), count);
        EXPECT_TRUE(std::ranges::is_sorted(blocks));
    }
}

TEST(OrderedMerge, OfNoBlocksIsNothing) { EXPECT_TRUE(OrderedMerge().take().empty()); }

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The position of its witness is the comparison's index.
Finding worst_case(const std::vector<Comparison>& comparisons) {
    WorstCase worst_case;
    worst_case.add_samples(comparisons.size());
    for (std::size_t k = 0; k < comparisons.size(); ++k)
        worst_case.add(comparisons[k].observed, comparisons[k].allowed, [&] {
            return Witness{{static_cast<double>(k)}, std::nullopt, comparisons[k].observed, 0};
        });
    return finding_of(worst_case);
}

struct Ranked {
    const char* name;
    std::vector<Comparison> comparisons;
    Verdict verdict;
    std::size_t worst;  // its index
};

// After a zero of a zero tolerance, the product with every later tolerance is 0, which once hid all
// later comparisons.
TEST(WorstCase, IsTheFirstOfTheLargestObservedOverAllowed) {
    using enum Verdict;
    const Ranked table[] = {
        {"up to the tolerance", {{1, 1}}, holds, 0},
        {"no error of no tolerance", {{0, 0}}, holds, 0},
        {"the next number", {{0x1.0000000000001p0, 1}}, violated, 0},
        {"NaN before an infinite error", {{nan_value, 1}, {5, 1}, {infinity, 1}}, violated, 0},
        {"NaN before another", {{nan_value, 1}, {0, 1}, {nan_value, 1}}, violated, 0},
        {"NaN of no tolerance", {{nan_value, 0}, {1, 0}}, violated, 0},
        {"NaN after an infinite error", {{infinity, 1}, {nan_value, 1}}, violated, 1},
        {"an infinite error", {{0, 1}, {infinity, 1}}, violated, 1},
        {"any error of no tolerance", {{1e-300, 0}, {2e-300, 0}, {0, 0}}, violated, 1},
        {"and of others", {{5, 10}, {1e-300, 0}, {9, 10}}, violated, 1},
        {"the ratio", {{0.5, 1}, {0.09, 0.1}, {8, 10}}, holds, 1},
        {"equal ratios", {{1, 2}, {2, 4}, {1, 2}}, holds, 0},
        {"5 after 0 of 0", {{0, 0}, {5, 1}}, violated, 1},
        {"infinity after 0 of 0", {{0, 0}, {infinity, 1}}, violated, 1},
        {"NaN after 0 of 0", {{0, 0}, {nan_value, 1}}, violated, 1},
        {"0.5 after 0 of 0", {{0, 0}, {0.5, 1}}, holds, 1},
    };
    for (const auto& [name, comparisons, verdict, worst] : table) {
        const Finding finding = worst_case(comparisons);
        EXPECT_EQ(finding.verdict, verdict) << name;
        EXPECT_EQ(finding.worst->positions.at(0), static_cast<double>(worst)) << name;
        EXPECT_EQ(finding.allowed, comparisons[worst].allowed) << name;
        const double want = comparisons[worst].observed;
        EXPECT_TRUE(finding.observed == want || std::isnan(want + finding.observed)) << name;
    }
    const Finding none = worst_case({});
    EXPECT_EQ(none.verdict, Verdict::not_applicable);
    EXPECT_FALSE(none.worst);
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
    const Finding finding = finding_of(worst_case);
    EXPECT_EQ(finding.verdict, Verdict::violated);  // whatever the worst comparison gives
    ASSERT_TRUE(finding.violations);
    EXPECT_EQ(finding.violations->count, 4U);
    EXPECT_EQ(finding.violations->first_position, 5U);
    EXPECT_EQ(finding.violations->first_pair, 2U);
}

}  // namespace rope::parallel_test
