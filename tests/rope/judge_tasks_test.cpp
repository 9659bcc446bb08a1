// Ranks find what one process does, to the byte, and each of them all of it.
#include <gtest/gtest.h>

#include "base/rank_tasks.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/checks/relative_position.hpp"
#include "rope/report/report.hpp"
#include "rope/session/judge.hpp"
#include "rope/subject/emulate.hpp"
#include "tests/base/thread_ranks.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace {

// What a pipeline makes of a Spec, held against it.
struct Judged {
    Judged(Spec asked, std::string_view pipeline, std::uint64_t context)
        : spec(std::move(asked)), subject(emulate(spec, find_pipeline(pipeline), context)) {}

    Spec spec;
    FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    std::unique_ptr<RowSource> subject;
    Comparison comparison = make_comparison(spec, plan, *subject, 1);
};

using Perform = std::function<void(TaskSource&)>;

struct Found {
    Bytes findings;
    std::vector<float> errors;

    bool operator==(const Found&) const = default;
};

// Claims and checks of rows.
Found found(const Judged& judged, unsigned workers, const Perform& perform) {
    Comparison comparison = judged.comparison;
    comparison.max_error = 1e-3;
    ErrorMap errors{.most_parts = 100, .most_rows = 10, .keeps_places = true};
    lay_out(errors, comparison);
    std::vector<Running> running;
    for (const Check& check : checks()) running.push_back({&check, {}, finding_of(check)});
    JudgeTasks tasks(comparison, running, &errors, workers, nullptr);
    perform(tasks);
    tasks.finish();
    Found all;
    for (Running& run : running) {
        EXPECT_EQ(run.rows != nullptr, run.check->is<MakeRowCheck>());
        if (run.rows) run.rows->report_to(run.finding);
        all.findings += archived(std::move(run.finding));
    }
    for (const ErrorPlace& place : errors.places)
        for (const double each : {place.error, place.position, place.got, place.want})
            errors.worst.push_back(static_cast<float>(each));
    all.errors = std::move(errors.worst);
    return all;
}

void expect_same_on_ranks(const Judged& judged) {
    const Found alone = found(judged, 1, [](TaskSource& tasks) { perform_all(tasks, 1); });
    EXPECT_EQ(found(judged, 3, [](TaskSource& tasks) { perform_all(tasks, 3); }), alone);
    for (const unsigned size : {2U, 3U}) {
        std::vector<Found> each(size);
        run_ranks(size, [&](Ranks& self) {
            each[self.rank()] =
                found(judged, size, [&](TaskSource& tasks) { perform_over(self, tasks, nullptr); });
        });
        for (const Found& one : each) EXPECT_TRUE(one == alone) << size << " ranks";
    }
}

TEST(JudgeTasks, OfASoundPipelineAreTheSameOnRanks) {
    expect_same_on_ranks({spec_of(8, 1e4), "hf-fp32", 100001});
    expect_same_on_ranks({spec_of(130, 5e5, llama3(8)), "ggml", 17000});
}

TEST(JudgeTasks, OfAGrosslyWrongPipelineAreTheSameOnRanks) {
    expect_same_on_ranks({spec_of(8, 1e4), "bf16-angles", 50000});
    expect_same_on_ranks({spec_of(32, 1e4), "fp16-table", 40000});
}

// What relative-position knows before it searches a column.
std::vector<PairBlock> blocks_of(const Judged& judged) {
    const PairRange pairs{0, judged.spec.pairs()};
    const auto check = make_relative_position(judged.comparison, pairs);
    for_each_tile(judged.comparison, pairs, [&](const Tile& tile) { check->observe(tile); });
    check->finish();
    Archive written;
    check->exchange(written);
    Archive archive(written.bytes());
    std::uint64_t samples = 0;
    std::vector<PairBlock> blocks;
    archive(samples, blocks);
    return blocks;
}

// Searches every column that is asked for before it takes the first result, the last one first.
Bytes searched_side_by_side(const Judged& judged, std::vector<PairBlock> blocks) {
    ColumnSearches searches(judged.comparison, blocks);
    std::size_t most = 0;
    for (;;) {
        std::vector<Bytes> tasks;
        while (const auto task = searches.next()) tasks.push_back(*task);
        if (tasks.empty()) break;
        most = std::max(most, tasks.size());
        for (auto task = tasks.rbegin(); task != tasks.rend(); ++task)
            searches.take(*task, searches.perform(*task));
    }
    EXPECT_GT(most, 1U);
    return archived(std::move(blocks));
}

TEST(ColumnSearches, CountWhatOneAfterAnotherWouldHaveFound) {
    for (const char* pipeline : {"tf32", "chatglm-fp16"}) {
        const Judged judged({spec_of(64, 1e4), pipeline, 9000});
        const std::vector<PairBlock> before = blocks_of(judged);
        std::vector<PairBlock> one_by_one = before;
        ColumnSearches searches(judged.comparison, one_by_one);
        perform_all(searches, 1);
        EXPECT_EQ(searched_side_by_side(judged, before), archived(std::move(one_by_one)));
    }
}

}  // namespace
}  // namespace rope
