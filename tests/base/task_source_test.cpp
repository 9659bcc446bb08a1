// What is found does not depend on who performed which task: threads, ranks, or an earlier run.
#include "base/task_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "base/rank_tasks.hpp"

namespace rope {
namespace {

// Task n asks for 2n and 2n + 1, up to 999, as soon as its result is there.
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

// Ranks that are threads of this process.
struct Mail {
    std::mutex mutex;
    std::vector<std::deque<RankMessage>> to;
};
class ThreadRank : public Ranks {
  public:
    ThreadRank(Mail& mail, unsigned rank) : mail_(mail), rank_(rank) {}
    unsigned rank() const override { return rank_; }
    unsigned size() const override { return static_cast<unsigned>(mail_.to.size()); }
    void send(unsigned to, const Bytes& bytes) override {
        const std::lock_guard lock(mail_.mutex);
        mail_.to.at(to).push_back({rank_, bytes});
    }
    std::optional<RankMessage> receive() override {
        const std::lock_guard lock(mail_.mutex);
        if (mail_.to[rank_].empty()) return std::nullopt;
        RankMessage first = mail_.to[rank_].front();
        mail_.to[rank_].pop_front();
        return first;
    }
    void rest() override { std::this_thread::yield(); }

  private:
    Mail& mail_;
    unsigned rank_;
};

// What each rank has in the end: its source's, or what was thrown.
struct Outcome {
    std::map<std::uint64_t, std::uint64_t> found;
    std::string error;
};
std::vector<Outcome> over_ranks(unsigned size, std::uint64_t fails_at, int runs = 1) {
    Mail mail;
    mail.to.resize(size);
    std::vector<Outcome> outcomes(size);
    std::vector<std::thread> ranks;
    for (unsigned rank = 0; rank < size; ++rank)
        ranks.emplace_back([&, rank] {
            ThreadRank self(mail, rank);
            for (int run = 0; run < runs; ++run) try {
                    Tree tree(fails_at);
                    perform_over(self, tree, nullptr);
                    outcomes[rank].found = tree.found;
                } catch (const std::exception& error) {
                    outcomes[rank].error = error.what();
                }
        });
    for (std::thread& rank : ranks) rank.join();
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

// The error is the one that the run without ranks would have ended with, whoever met it.
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

TEST(TaskSource, WhatAnEarlierRunKeptIsNotPerformedAgain) {
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

TEST(Bytes, OfAnotherLengthAreRefused) {
    EXPECT_EQ(value_of<double>(to_bytes(0.1)), 0.1);
    EXPECT_THROW(value_of<double>(Bytes(7, 'x')), std::length_error);
    EXPECT_THROW(values_of<double>(Bytes(9, 'x')), std::length_error);
}

}  // namespace
}  // namespace rope
