// Results do not depend on which thread, rank or earlier run performed a task.
#include "base/task_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>

#include "base/error.hpp"
#include "tests/base/thread_ranks.hpp"

namespace rope::task_source_test {

// Task n adds the tasks 2n and 2n + 1, up to 999, when its result arrives.
struct Tree : TaskSource {
    explicit Tree(std::uint64_t fails_at = 0) : fails_at_(fails_at) {}
    std::optional<Bytes> next() override {
        if (asked.empty()) return std::nullopt;
        const std::uint64_t n = asked.front();
        asked.pop_front();
        return to_bytes(n);
    }
    void take(const Bytes& task, const Bytes& result) override {
        const auto n = value_of<std::uint64_t>(task);
        EXPECT_TRUE(found.emplace(n, value_of<std::uint64_t>(result)).second);
        for (const std::uint64_t child : {2 * n, 2 * n + 1})
            if (child < 1000) asked.push_back(child);
    }
    Bytes perform(const Bytes& task) const override {
        ++performed;
        const auto n = value_of<std::uint64_t>(task);
        if (n == fails_at_) throw InputError("task " + std::to_string(n));
        return to_bytes(n * n);
    }

    std::deque<std::uint64_t> asked{1};
    std::map<std::uint64_t, std::uint64_t> found;
    static inline std::atomic<int> performed = 0;

  private:
    std::uint64_t fails_at_;
};

std::map<std::uint64_t, std::uint64_t> squares() {
    std::map<std::uint64_t, std::uint64_t> all;
    for (std::uint64_t n = 1; n < 1000; ++n) all[n] = n * n;
    return all;
}

// The results of each rank, or the error that it threw.
struct Outcome {
    std::map<std::uint64_t, std::uint64_t> found;
    std::string error;
};
std::vector<Outcome> over_ranks(unsigned size, std::uint64_t fails_at, int runs = 1) {
    std::vector<Outcome> outcomes(size);
    run_ranks(size, [&](Ranks& self) {
        for (int run = 0; run < runs; ++run) try {
                Tree tree(fails_at);
                perform_over(self, tree, nullptr);
                outcomes[self.rank()].found = tree.found;
            } catch (const std::exception& error) {
                outcomes[self.rank()].error = error.what();
            }
    });
    return outcomes;
}

struct Kept : TaskLog {
    std::optional<Bytes> find(const Bytes& task) const override {
        const auto one = results.find(task);
        return one == results.end() ? std::nullopt : std::optional(one->second);
    }
    void keep(const Bytes& task, const Bytes& result) override {
        EXPECT_TRUE(results.emplace(task, result).second);
        if (results.size() == most) throw std::runtime_error("interrupted");
    }
    std::map<Bytes, Bytes> results;
    std::size_t most = 0;
};

TEST(TaskSource, TasksThatResultsAskForAreEachDoneOnceByAnyNumberOfThreads) {
    for (const unsigned threads : {0U, 1U, 2U, 3U, 8U}) {
        Tree tree;
        Tree::performed = 0;
        perform_all(tree, threads);
        EXPECT_EQ(tree.found, squares());
        EXPECT_EQ(Tree::performed, 999);
    }
}

TEST(TaskSource, EveryRankTakesAllResultsAndEachTaskIsDoneByOne) {
    for (const unsigned size : {1U, 2U, 3U, 5U}) {
        Tree::performed = 0;
        for (const Outcome& each : over_ranks(size, 0, 3)) {
            EXPECT_EQ(each.found, squares());
            EXPECT_EQ(each.error, "");
        }
        EXPECT_EQ(Tree::performed, 3 * 999) << size;
    }
}

// The error is that of a run without ranks, whichever rank meets it.
TEST(TaskSource, ATaskThatFailsEndsTheRunOnEveryRank) {
    Tree alone(700);
    EXPECT_THROW(perform_all(alone, 2), InputError);
    for (const unsigned size : {1U, 2U, 5U})
        for (int round = 0; round < 20; ++round) {
            const auto outcomes = over_ranks(size, 700);
            EXPECT_EQ(outcomes[0].error, "task 700");
            for (const Outcome& each : outcomes) EXPECT_NE(each.error, "");
        }
}

TEST(TaskSource, ARankThatFailsByItselfLeavesItsTasksToTheFirst) {
    Tree tree;
    run_ranks(3, [&](Ranks& self) {
        if (self.rank() == 1) return decline(self);
        Tree other;
        perform_over(self, self.rank() == 0 ? tree : other, nullptr);
        if (self.rank() == 0) abandon(self);
    });
    EXPECT_EQ(tree.found, squares());
}

TEST(TaskSource, ARankThatWasAbandonedDoesNotWaitForMore) {
    run_ranks(2, [](Ranks& self) {
        if (self.rank() == 0) return abandon(self);
        Tree tree;
        EXPECT_THROW(perform_over(self, tree, nullptr), std::runtime_error);
        decline(self);
    });
}

// Each task performs a tree of tasks.
struct Forest : TaskSource {
    std::optional<Bytes> next() override {
        return asked++ < 5 ? std::optional(Bytes(1, 'x')) : std::nullopt;
    }
    void take(const Bytes&, const Bytes& result) override {
        EXPECT_EQ(result, to_bytes(std::uint64_t{999}));
        ++taken;
    }
    Bytes perform(const Bytes&) const override {
        EXPECT_EQ(workers(2), 2U);
        Tree tree;
        perform_all(tree, 2);
        return to_bytes(std::uint64_t{tree.found.size()});
    }
    int asked = 0, taken = 0;
};

TEST(TaskSource, TasksWithinATaskRunOnThreadsOnly) {
    run_ranks(3, [&](Ranks& self) {
        if (self.rank() == 0) share_with(&self);
        Forest forest;
        if (self.rank() == 0)
            perform_all(forest, 2);
        else
            perform_over(self, forest, nullptr);
        if (self.rank() == 0) share_with(nullptr);
        EXPECT_EQ(forest.taken, 5);
    });
}

TEST(TaskSource, ResultsOfAnEarlierRunAreNotComputedAgain) {
    Kept log;
    log.most = 400;
    Tree interrupted;
    EXPECT_THROW(perform_all(interrupted, 2, &log), std::runtime_error);
    const std::size_t kept = log.results.size();
    EXPECT_GE(kept, 400U);
    log.most = 0;
    Tree resumed;
    Tree::performed = 0;
    perform_all(resumed, 2, &log);
    EXPECT_EQ(resumed.found, squares());
    EXPECT_EQ(Tree::performed, 999 - static_cast<int>(kept));
}

TEST(TaskSource, MapsNumbersToResultsInOrder) {
    for (const unsigned threads : {1U, 3U}) {
        const auto results =
            map_tasks(100, threads, [](std::size_t k) { return std::to_string(k * k); });
        ASSERT_EQ(results.size(), 100U);
        for (std::size_t k = 0; k < results.size(); ++k)
            EXPECT_EQ(results[k], std::to_string(k * k));
    }
    EXPECT_TRUE(map_tasks(0, 2, [](std::size_t) { return Bytes(); }).empty());
}

TEST(Bytes, OfAWrongLengthAreRefused) {
    EXPECT_EQ(to_bytes(value_of<double>(to_bytes(0.1))), to_bytes(0.1));
    EXPECT_THROW(value_of<double>(Bytes(7, 'x')), std::length_error);
    EXPECT_THROW(values_of<double>(Bytes(9, 'x')), std::length_error);
}

}  // namespace rope::task_source_test
