// Reports do not depend on the distribution of rows to threads.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "base/tasks.hpp"
#include "rope/checks/check.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace parallel_test {

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
    double position;
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

}  // namespace parallel_test
}  // namespace rope
