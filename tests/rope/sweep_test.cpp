// A sweep: its cells, its rows, and their checks.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "rope/checks/report.hpp"
#include "rope/session/session.hpp"
#include "rope/session/sweep_row.hpp"

namespace rope::sweep_test {

SweepModel model_of(std::string name, double base, std::uint64_t own_context) {
    SweepModel model;
    model.name = std::move(name);
    model.layers = "all layers";
    model.spec.head_dim = model.spec.rotary_dim = 16;
    model.spec.rope_theta = base;
    model.own_context = own_context;
    return model;
}

SweepModel refused_model() {
    SweepModel model;
    model.name = "bad";
    model.refusal = "bad: has no head_dim";
    return model;
}

SweepPlan plan_of(const std::vector<std::string_view>& names,
                  const std::vector<std::uint64_t>& contexts) {
    SweepPlan plan{{model_of("a", 1e4, 32), refused_model(), model_of("b", 5e5, 96)}, {}, contexts};
    for (const std::string_view name : names) plan.pipelines.push_back(&find_pipeline(name));
    return plan;
}

// The verdicts of all checks and claims for the cell.
SweepRow row_of_verify(const SweepCell& cell) {
    const Report report = verify(cell.spec, *cell.pipeline, cell.context);
    const Finding& table = *find_finding(report, "table-accuracy");
    SweepRow row{.k = finding_field<double>(table, "K"),
                 .worst_error = finding_field<double>(table, "worst_error"),
                 .worst_position = finding_field<std::uint64_t>(table, "worst_error_position"),
                 .worst_pair = finding_field<std::uint64_t>(table, "worst_error_pair"),
                 .first_beyond = finding_field<std::uint64_t>(table, "first_beyond_1e_3")};
    if (exit_code(report, {}) == 1)
        row.verdict = RowVerdict::violated;
    else
        row.verdict =
            table.verdict == Verdict::holds ? RowVerdict::holds : RowVerdict::not_applicable;
    return row;
}

TEST(SweepCells, AreEveryModelUnderEveryPipelineAtEveryContext) {
    const std::vector<SweepCell> cells = sweep_cells(plan_of({"ggml", "exact"}, {64, 8}));
    std::vector<std::string> names;
    for (const SweepCell& cell : cells)
        names.push_back(cell.pipeline == nullptr
                            ? cell.name
                            : cell.name + " " + std::string(cell.pipeline->name) + " " +
                                  std::to_string(cell.context));
    EXPECT_EQ(names,
              (std::vector<std::string>{"a ggml 64", "a ggml 8", "a exact 64", "a exact 8", "bad",
                                        "b ggml 64", "b ggml 8", "b exact 64", "b exact 8"}));
}

TEST(SweepCells, HaveTheTableOfTwoThatIsForTheContext) {
    SweepModel model = model_of("dynamic", 1e4, 64);
    model.spec.max_position_embeddings = 64;
    model.spec.scaling = {.rope_type = "dynamic", .factor = 2};
    const SweepPlan plan{{model}, {&find_pipeline("exact")}, {64, 100}};
    const std::vector<SweepCell> cells = sweep_cells(plan);
    EXPECT_EQ(cells[0].spec.seq_len, 64U);
    EXPECT_EQ(cells[1].spec.seq_len, 100U);
}

TEST(SweepRow, EqualsVerifysResultForTheSameCombination) {
    SweepPlan plan = plan_of({}, {1, 64, 3000});
    for (const Pipeline& pipeline : pipelines()) plan.pipelines.push_back(&pipeline);
    std::set<RowVerdict> seen;
    for (const SweepCell& cell : sweep_cells(plan)) {
        if (cell.pipeline == nullptr) continue;
        SweepRow row = judge_cell(cell);
        EXPECT_EQ(row.reason.empty(), row.verdict == RowVerdict::holds);
        seen.insert(row.verdict);
        row.reason.clear();
        EXPECT_EQ(row, row_of_verify(cell))
            << cell.name << " " << cell.pipeline->name << " " << cell.context;
    }
    EXPECT_EQ(seen,
              (std::set{RowVerdict::holds, RowVerdict::violated, RowVerdict::not_applicable}));
}

// The messages from one rank to another.
TEST(Sweep, ARowComesBackFromItsBytes) {
    SweepRow nothing, all;
    all.k = -0.0;
    all.worst_error = std::numeric_limits<double>::infinity();
    all.worst_position = ~std::uint64_t{0};
    all.worst_pair = 0;
    all.first_beyond = 7;
    all.verdict = RowVerdict::violated;
    all.reason = std::string("a\0\n\xff", 4);
    SweepRow some = all;
    some.worst_pair.reset();
    some.reason.clear();
    for (const SweepRow& row : {nothing, all, some}) EXPECT_EQ(sweep_row_of(bytes_of(row)), row);
    EXPECT_THROW(sweep_row_of("row"), std::length_error);
}

struct Kept : TaskLog {
    std::optional<Bytes> find(const Bytes& task) const override {
        const auto one = results.find(task);
        return one == results.end() ? std::nullopt : std::optional(one->second);
    }
    void keep(const Bytes& task, const Bytes& result) override { results[task] = result; }

    std::map<Bytes, Bytes> results;
};

// Cells that one thread checks, and, from 2^20 values per thread on, those that all threads check.
TEST(Sweep, TakesTheRowsOfALog) {
    const std::vector<SweepCell> cells = sweep_cells(plan_of({"exact"}, {64, 1 << 18}));
    Kept log;
    TaskCount count;
    const SweepRows rows = judge_cells(cells, {.threads = 2, .tasks = &count, .log = &log});
    EXPECT_EQ(count.all, 5U);
    EXPECT_EQ(count.ended, 5U);
    ASSERT_EQ(rows.size(), 5U);
    ASSERT_EQ(log.results.size(), 5U);
    for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_EQ(rows[k], judge_cell(cells[k])) << k;
    SweepRow other;
    other.reason = "kept";
    log.results[to_bytes(std::size_t{1})] = bytes_of(other);
    const SweepRows again = judge_cells(cells, {.threads = 2, .log = &log});
    EXPECT_EQ(again[1], other);
    EXPECT_EQ(again[0], rows[0]);
}

}  // namespace rope::sweep_test
