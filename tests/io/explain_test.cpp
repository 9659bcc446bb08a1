#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "io/explain/explanation.hpp"
#include "rope/specs.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace explain_test {

using nlohmann::json;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Ministral3Attention only divides by √d; DeepseekV3Attention and Mistral4Attention do not
// (modeling_mistral4.py from transformers 4a1c4b1a on).
TEST(ExplainJson, ScalesOnlyTheScoresOfDeepSeeksClasses) {
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
    for (const char* type : {"ministral3", "llama"}) EXPECT_EQ(of_scores(type), 1);
    for (const char* type :
         {"deepseek_v2", "deepseek_v3", "kimi_k2", "glm_moe_dsa", "mistral4", "my_own"})
        EXPECT_NEAR(of_scores(type), 1.2964769928, 1e-9) << type;
}

TEST(Explain, CountsNoPairsIfTheLengthIsUnknown) {
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

TEST(Cells, AreAlignedByCharacters) {
    const Cells cells{{"a", "b"}, "lr", {{"÷8", "1"}, {"long", "22"}}};
    EXPECT_EQ(aligned(cells, 1), " a      b\n ÷8     1\n long  22\n");
    EXPECT_EQ(markdown_table(cells), "| a | b |\n|---|---:|\n| ÷8 | 1 |\n| long | 22 |\n");
}

}  // namespace explain_test
}  // namespace rope::io
