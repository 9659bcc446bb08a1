// A sweep's table in each format, and the resumption of a sweep from its file.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "io/sweep/sweep_table.hpp"
#include "tests/io/error_message.hpp"

namespace rope::io {
namespace sweep_test {

SweepModel model_of(std::string name) {
    SweepModel model;
    model.name = std::move(name);
    model.layers = "all layers";
    model.spec.head_dim = model.spec.rotary_dim = 8;
    model.spec.scaling.factor = 0.1;  // no float; only its bits matter here
    model.own_context = 16;
    return model;
}

// A row that passes, one with every number that JSON cannot represent, and a refused model.
SweepTable example() {
    SweepModel refused;
    refused.name = "bad \"config\", 1.json";
    refused.refusal = "no head_dim\x9b\n";
    SweepTable table{.version = "0.1.0",
                     .commit = "abc",
                     .plan = {{model_of("llama"), refused, model_of("=phi")},
                              {&find_pipeline("ggml"), &find_pipeline("exact")},
                              {64, 96}},
                     .cells = {},
                     .rows = {}};
    table.cells = sweep_cells(table.plan);
    for (std::size_t k = 0; k < table.cells.size(); ++k)
        table.rows.emplace_back(SweepRow{.k = 1.0 / 3 + static_cast<double>(k),
                                         .worst_error = 1e-300,
                                         .worst_position = 63,
                                         .worst_pair = 3,
                                         .verdict = RowVerdict::holds});
    constexpr double infinity = std::numeric_limits<double>::infinity();
    table.rows[1] = SweepRow{.k = std::numeric_limits<double>::quiet_NaN(),
                             .worst_error = infinity,
                             .worst_position = 1,
                             .worst_pair = 0,
                             .first_beyond = 1,
                             .verdict = RowVerdict::violated,
                             .reason = "a|b"};
    table.rows[4] = SweepRow{.reason = refused.refusal};
    return table;
}

SweepTable without_rows(SweepTable table) {
    std::ranges::fill(table.rows, std::nullopt);
    return table;
}

std::string refusal_of(SweepTable table, std::string_view text) {
    return error_message<InputError>([&] { resume_sweep(table, text, "s.json"); });
}

// Any subset of the rows may have been saved, whatever order they ended in.
TEST(ResumedSweep, TakesWhicheverRowsWereSaved) {
    const SweepTable whole = example();
    for (unsigned saved = 0; saved < 1U << whole.rows.size(); ++saved) {
        SweepTable interrupted = whole;
        for (std::size_t k = 0; k < whole.rows.size(); ++k)
            if ((saved >> k & 1) == 0) interrupted.rows[k].reset();
        SweepTable resumed = without_rows(whole);
        const std::string text = sweep_json(interrupted);
        resume_sweep(resumed, text, "s.json");
        EXPECT_EQ(sweep_json(resumed), text);
        for (std::size_t k = 0; k < whole.rows.size(); ++k) {
            EXPECT_EQ(resumed.rows[k].has_value(), (saved >> k & 1) == 1);
            if (!resumed.rows[k]) resumed.rows[k] = whole.rows[k];
        }
        EXPECT_EQ(sweep_json(resumed), sweep_json(whole));
        EXPECT_EQ(sweep_document(resumed, true).text, sweep_document(whole, true).text);
        EXPECT_EQ(sweep_document(resumed, false).csv, sweep_document(whole, false).csv);
    }
}

// 110,000 keys: above the limit of all other JSON.
TEST(ResumedSweep, TakesAsManyRowsAsMayBeAsked) {
    SweepTable table = example();
    table.plan.models.resize(1);
    table.plan.pipelines.resize(1);
    table.plan.contexts.resize(10'000);
    std::iota(table.plan.contexts.begin(), table.plan.contexts.end(), 1);
    table.cells = sweep_cells(table.plan);
    table.rows.assign(table.cells.size(), SweepRow{.verdict = RowVerdict::holds});
    SweepTable resumed = without_rows(table);
    resume_sweep(resumed, sweep_json(table), "s.json");
    EXPECT_EQ(summarize(resumed.rows).holds, 10'000U);
}

TEST(ResumedSweep, RefusesEveryDamagedFile) {
    const SweepTable whole = example();
    const std::string text = sweep_json(whole);
    const std::string taken = refusal_of(without_rows(whole), text);
    EXPECT_EQ(taken, "[no error]");
    for (std::size_t i = 0; i < text.size(); ++i) {
        EXPECT_NE(refusal_of(without_rows(whole), text.substr(0, i)), taken) << i;
        std::string damaged = text;
        damaged[i] ^= 1;
        EXPECT_NE(refusal_of(without_rows(whole), damaged), taken) << i;
    }
    for (const char* other :
         {"[]", "null", "{}", R"({"schema": "rope-check-report/1"})", R"({"schema": {"a": [1]}})"})
        EXPECT_NE(refusal_of(without_rows(whole), other).find("is no sweep"), std::string::npos);
}

TEST(SweepCsv, IsOfRfc4180) {
    const std::string csv = sweep_document(example(), false).csv;
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "model,layers,pipeline,context,K,worst_error,worst_error_position,worst_error_pair,"
              "first_beyond_1e_3,verdict,reason\r");
    EXPECT_NE(csv.find("\"llama\",\"all layers\",\"ggml\",64,0.3333333333333333,1e-300,63,3,,"
                       "\"holds\",\"\"\r\n\"llama\",\"all layers\",\"ggml\",96,nan,inf,1,0,1,"
                       "\"violated\",\"a|b\"\r\n"),
              csv.npos)
        << csv;
    EXPECT_NE(csv.find("\"bad \"\"config\"\", 1.json\",,,,,,,,,\"refused\","
                       "\"no head_dim\\x9b\\n\"\r\n"),
              csv.npos)
        << csv;
    EXPECT_NE(csv.find("\r\n\"'=phi\","), csv.npos) << csv;
}

}  // namespace sweep_test
}  // namespace rope::io
