#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "io/explain/explanation.hpp"
#include "rope/specs.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace explain_test {

using nlohmann::json;

const std::filesystem::path configs = std::filesystem::path(ROPE_CHECK_TESTS) / "golden/configs";

ExplainedModel explained(const std::string& config, std::optional<std::uint64_t> context = {}) {
    return explain(resolve_model(configs / config, {}), context);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Ministral3Attention and Mistral4Attention divide by √d alone; DeepseekV3Attention does not.
TEST(ExplainJson, ScalesTheScoresOfDeepSeeksClassesAlone) {
    const auto of_scores = [](const std::string& type) {
        const TemporaryFolder folder;
        folder.write("c.json", R"({"model_type": ")" + type + R"(", "head_dim": 64,
            "max_position_embeddings": 16384, "qk_rope_head_dim": 64, "rope_scaling": {
            "rope_type": "yarn", "rope_theta": 1e4, "factor": 4, "mscale": 1, "mscale_all_dim": 1,
            "original_max_position_embeddings": 4096}})");
        return explain(resolve_model(folder.path() / "c.json", {}), {})
            .plans.at(0)
            .softmax_scale_factor;
    };
    for (const char* type : {"ministral3", "mistral4", "llama"}) EXPECT_EQ(of_scores(type), 1);
    for (const char* type : {"deepseek_v2", "deepseek_v3", "kimi_k2", "glm_moe_dsa", "my_own"})
        EXPECT_NEAR(of_scores(type), 1.2964769928, 1e-9) << type;
}

TEST(Explain, CountsNoPairsByALengthThatIsNotKnown) {
    ExplainedModel model;
    Spec spec = spec_of(4, 1e4, {}, 4096);
    spec.scaling.rope_type = "longrope";
    spec.scaling.short_factor = spec.scaling.long_factor = {1, 8};
    spec.scaling.attention_factor = 1;
    spec.scaling.original_max_position_embeddings = 4096;
    ResolvedModel resolved;
    resolved.groups = {{"all layers", {spec, {}, {}}, true}};
    model = explain(resolved, {});
    EXPECT_FALSE(model.plans[0].critical);
    EXPECT_TRUE(json::parse(explain_document(model, false).json)
                    .at("plans")[0]
                    .at("critical_dimension")
                    .is_null());
    EXPECT_TRUE(
        has(explain_document(model, false).text, "the length of training is not in the file"));
    EXPECT_FALSE(has(explain_document(model, false).markdown, "critical dimension"));
}

// A model by hand: what is printed does not depend on how it was read.
ResolvedModel gemma_4() {
    Spec global = spec_of(512, 1e6, {}, 131072);
    global.scaling.rope_type = "proportional";
    global.scaling.partial_rotary_factor = 0.25;
    ResolvedModel model;
    model.groups = {{"full_attention", {global, {{"rope_theta", "c.json: a|b\x1b"}}, {}}, true},
                    {"NoPE: 3, 7", {}, false}};
    model.read = {"rope_parameters.rope_theta"};
    model.ignored = {"rope_parameters.mscale"};
    model.defaulted = {{"layout", "half_split"}};
    model.lint = {{"no-such-thing", Severity::warning, "c.json: x|y", "it is 1; 2 is right"}};
    return model;
}

TEST(ExplainJson, HoldsWhatTheConfigAsksFor) {
    const json report = json::parse(explain_document(explained("llama-3.1-8b.json"), false).json);
    EXPECT_EQ(report.at("schema"), "rope-check-explain/1");
    ASSERT_EQ(report.at("plans").size(), 1U);
    const json& plan = report.at("plans")[0];
    EXPECT_EQ(plan.at("layers"), "all layers");
    EXPECT_EQ(plan.at("rope_type"), "llama3");
    EXPECT_EQ(plan.at("rope_theta"), 5e5);
    EXPECT_EQ(plan.at("head_dim"), 128);
    EXPECT_EQ(plan.at("rotary_dim"), 128);
    EXPECT_EQ(plan.at("layout"), "half_split");
    EXPECT_EQ(plan.at("attention_factor"), 1);
    EXPECT_EQ(plan.at("softmax_scale_factor"), 1);
    EXPECT_EQ(plan.at("context"), 131072);
    const json& factor = plan.at("resolved").at("factor");
    EXPECT_EQ(factor.at("value"), 8);
    EXPECT_TRUE(has(factor.at("from"), "rope_scaling.factor"));
    EXPECT_EQ(plan.at("critical_dimension").at("trained_length"), 8192);
    EXPECT_EQ(plan.at("critical_dimension").at("counted"), 70);
    EXPECT_EQ(plan.at("critical_dimension").at("formula"), 70);
    EXPECT_EQ(plan.at("critical_dimension").at("never_turn").size(), 29U);
    for (const char* key : {"inv_freq", "unscaled_inv_freq", "wavelength", "turns", "band"})
        EXPECT_EQ(plan.at(key).size(), 64U) << key;
    EXPECT_EQ(plan.at("inv_freq")[0], 1);
    EXPECT_EQ(plan.at("band")[28], "unscaled");
    EXPECT_EQ(plan.at("band")[29], "blended");
    EXPECT_EQ(plan.at("band")[35], "interpolated");
    for (const char* key : {"read", "ignored", "defaulted", "lint"})
        EXPECT_TRUE(report.at(key).is_array()) << key;
}

TEST(ExplainJson, SpellsWhatIsEndlessAndWhatDoesNotRotate) {
    const json report = json::parse(explain_document(explain(gemma_4(), {}), false).json);
    const json& plan = report.at("plans").at(0);
    EXPECT_EQ(plan.at("wavelength")[255], "inf");
    EXPECT_EQ(plan.at("turns")[255], 0);
    EXPECT_EQ(plan.at("band")[64], "still");
    EXPECT_TRUE(plan.at("critical_dimension").at("formula").is_null());
    EXPECT_EQ(report.at("plans").size(), 1U);
    EXPECT_EQ(report.at("not_rotated"), json({"NoPE: 3, 7"}));
    EXPECT_EQ(report.at("read"), json({"rope_parameters.rope_theta"}));
    EXPECT_EQ(report.at("ignored"), json({"rope_parameters.mscale"}));
    EXPECT_EQ(report.at("defaulted")[0], (json{{"field", "layout"}, {"value", "half_split"}}));
    EXPECT_EQ(report.at("lint")[0], (json{{"id", "no-such-thing"},
                                          {"severity", "warning"},
                                          {"where", "c.json: x|y"},
                                          {"message", "it is 1; 2 is right"}}));
}

TEST(ExplainText, FoldsThePairsIntoRuns) {
    const std::string text = explain_document(explained("llama-3.1-8b.json"), false).text;
    EXPECT_TRUE(has(text, "all layers: llama3, 64 pairs on 128 of 128 dimensions, half_split\n"))
        << text;
    EXPECT_TRUE(has(text, "  0–28   unscaled ")) << text;
    EXPECT_TRUE(has(text, "  29–34  ÷")) << text;
    EXPECT_TRUE(has(text, "(blended)")) << text;
    EXPECT_TRUE(has(text, "  35–63  ÷8 ")) << text;
    EXPECT_TRUE(has(text, "  turns in 131,072\n")) << text;
    EXPECT_TRUE(has(text,
                    "29 of 64 pairs never complete a turn in the 8,192 positions of "
                    "training: 35–63\n"))
        << text;
    EXPECT_TRUE(has(text, "critical dimension 70; min(d, 2⌈d/2·log_b(T/2π)⌉) = 70"));
    EXPECT_TRUE(has(text, " 6.28…1,956 ")) << text;  // 2π·500000^(i/64) for i = 0 and 28
    EXPECT_FALSE(has(text, "inv_freq"));
    EXPECT_TRUE(has(explain_document(explained("llama-3.1-8b.json"), true).text, "inv_freq"));
}

TEST(ExplainText, CountsTurnsInTheContextAskedFor) {
    const ExplainedModel explanation = explained("llama-2-7b.json", 1000);
    EXPECT_TRUE(has(explain_document(explanation, false).text, "turns in 1,000"));
    EXPECT_EQ(explanation.plans[0].context, 1000U);
}

TEST(ExplainText, NamesWhatWasIgnoredAndWhatIsWrong) {
    const std::string text = explain_document(explain(gemma_4(), {}), false).text;
    EXPECT_TRUE(has(text, "c.json: a|b\\x1b")) << text;
    EXPECT_TRUE(has(text, "not rotated: NoPE: 3, 7\n")) << text;
    EXPECT_TRUE(has(text, "ignored: rope_parameters.mscale\n")) << text;
    EXPECT_TRUE(has(text, "defaulted: layout half_split\n")) << text;
    EXPECT_TRUE(text.ends_with("warning: c.json: x|y: it is 1; 2 is right [no-such-thing]\n"));
    EXPECT_TRUE(has(text, "64–255  still "));
    EXPECT_TRUE(has(text, "∞"));
}

TEST(ExplainMarkdown, IsTablesWhoseCellsHold) {
    const std::string text = explain_document(explain(gemma_4(), {}), true).markdown;
    EXPECT_TRUE(text.starts_with("# Rotary position embedding\n\n## full_attention: proportional"));
    EXPECT_TRUE(has(text, "| key | value | from |\n|---|---|---|\n")) << text;
    EXPECT_TRUE(has(text, "c.json: a\\|b")) << text;
    EXPECT_TRUE(has(text, "| warning | no-such-thing | c.json: x\\|y | it is 1; 2 is right |\n"));
    EXPECT_TRUE(has(text, "| 255 | 0 |")) << text;
    EXPECT_TRUE(has(text, "\n- not rotated: NoPE: 3, 7\n- ignored: rope_parameters.mscale\n"))
        << text;
}

TEST(Cells, AreAlignedByCharacters) {
    const Cells cells{{"a", "b"}, "lr", {{"÷8", "1"}, {"long", "22"}}};
    EXPECT_EQ(aligned(cells, 1), " a      b\n ÷8     1\n long  22\n");
    EXPECT_EQ(markdown_table(cells), "| a | b |\n|---|---:|\n| ÷8 | 1 |\n| long | 22 |\n");
}

}  // namespace explain_test
}  // namespace rope::io
