#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/explain/explanation.hpp"
#include "io/model/resolved_model.hpp"
#include "rope/specs.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io::explain_test {

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

ResolvedModel model_of(std::initializer_list<std::pair<std::string, Spec>> groups) {
    ResolvedModel model;
    for (const auto& [layers, spec] : groups)
        model.groups.push_back({layers, {spec, {}, {}}, true});
    return model;
}

TEST(Diff, MatchesLayersByTheirName) {
    const Spec slow = spec_of(128, 1e6), fast = spec_of(128, 1e4);
    const auto two = model_of({{"full_attention", slow}, {"sliding_attention", fast}});
    EXPECT_TRUE(
        diff(two, model_of({{"sliding_attention", fast}, {"full_attention", slow}}), {}).same());

    // one plan is compared with every group of the other config, on either side
    const auto one = model_of({{"all layers", slow}});
    for (const Diff& found : {diff(two, one, {}), diff(one, two, {})}) {
        ASSERT_EQ(found.plans.size(), 2U);
        EXPECT_TRUE(found.plans[0].differing.empty());
        EXPECT_EQ(found.plans[1].layers, "sliding_attention");
        EXPECT_EQ(found.plans[1].differing, std::vector<std::string>{"inv_freq"});
    }
    EXPECT_EQ(diff(one, two, {}).plans[1].difference.a.rope_theta, 1e6);
    EXPECT_EQ(diff(two, one, {}).plans[1].difference.a.rope_theta, 1e4);

    const Diff unlike = diff(two, model_of({{"full_attention", slow}, {"chunked", fast}}), {});
    EXPECT_EQ(unlike.only_a, std::vector<std::string>{"sliding_attention"});
    EXPECT_EQ(unlike.only_b, std::vector<std::string>{"chunked"});
    EXPECT_FALSE(unlike.same());
}

// Merged and separate groups are compared by name.
TEST(Diff, ComparesGroupsThatDifferInNumber) {
    const Spec slow = spec_of(128, 1e6), fast = spec_of(128, 1e4);
    ResolvedModel merged = model_of({{"full_attention", slow}, {"sliding_attention", fast}});
    merged.groups[1].layers += ", chunked_attention";
    merged.groups[1].names = {"sliding_attention", "chunked_attention"};
    const auto apart = model_of(
        {{"full_attention", slow}, {"sliding_attention", fast}, {"chunked_attention", fast}});
    EXPECT_TRUE(diff(merged, apart, {}).same());
    EXPECT_TRUE(diff(apart, merged, {}).same());
    EXPECT_EQ(diff(merged, apart, {}).plans.size(), 3U);
}

TEST(Diff, ComparesBothTablesOfLongropeAndDynamic) {
    Spec one = spec_of(4, 1e4, {}, 131072);
    one.scaling = {.rope_type = "longrope",
                   .original_max_position_embeddings = 4096,
                   .short_factor = {1, 1},
                   .long_factor = {1, 8}};
    Spec other = one;
    other.scaling.long_factor = {1, 4};
    const auto both = [](const Spec& spec) {
        return with_both_tables(model_of({{"all layers", spec}}));
    };
    const Diff lists = diff(both(one), both(other), {});
    ASSERT_EQ(lists.plans.size(), 2U);
    EXPECT_EQ(lists.plans[0].layers, "all layers, short sequences");
    EXPECT_TRUE(lists.plans[0].differing.empty());
    EXPECT_EQ(lists.plans[1].layers, "all layers, long sequences");
    EXPECT_EQ(lists.plans[1].differing, std::vector<std::string>{"inv_freq"});
    EXPECT_EQ(both(one).groups[0].context(), 4096U);
    EXPECT_EQ(both(one).groups[1].context(), 131072U);

    Spec dynamic = spec_of(8, 1e4, rope::dynamic(4), 4096);
    EXPECT_EQ(both(dynamic).groups[1].context(), 16384U);
    EXPECT_FALSE(diff(both(dynamic), model_of({{"all layers", spec_of(8, 1e4)}}), {}).same());
    dynamic.seq_len = 5000;  // which selects one base
    EXPECT_EQ(both(dynamic).groups.size(), 1U);
}

TEST(Diff, SeesLayersThatDoNotRotate) {
    ResolvedModel some = model_of({{"layers 0–2", spec_of(128, 1e4)}});
    some.groups.push_back({"NoPE: 3", {}, false});
    const ResolvedModel all = model_of({{"all layers", spec_of(128, 1e4)}});
    EXPECT_TRUE(diff(some, some, {}).same());
    EXPECT_EQ(diff(some, all, {}).only_a, std::vector<std::string>{"NoPE: 3"});
    EXPECT_EQ(diff(all, some, {}).only_b, std::vector<std::string>{"NoPE: 3"});
    EXPECT_TRUE(diff(all, some, {}).plans.at(0).differing.empty());
}

// Dynamic from 4096 or 8192 positions on: both use the same base up to 4096 (Hugging Face's
// formula).
TEST(Diff, OfTablesThatChangeAtOtherLengthsIsBetweenThem) {
    const auto dynamic = [](std::uint64_t length) {
        return model_of({{"all layers", spec_of(64, 10000, rope::dynamic(2), length)}});
    };
    const auto [a, b] = with_common_tables(dynamic(4096), dynamic(8192));
    const Diff found = diff(a, b, {});
    ASSERT_EQ(found.plans.size(), 3U);
    EXPECT_EQ(found.plans[0].layers, "all layers, short sequences");
    EXPECT_TRUE(found.plans[0].differing.empty());
    EXPECT_EQ(found.plans[1].layers, "all layers, sequences of 8192");
    EXPECT_FALSE(found.plans[1].differing.empty());
    EXPECT_EQ(found.plans[2].layers, "all layers, long sequences");
    EXPECT_FALSE(found.plans[2].differing.empty());
    const auto [one, other] = with_common_tables(dynamic(4096), dynamic(4096));
    EXPECT_TRUE(diff(one, other, {}).same());
}

// Configs that differ in the rotation of their layers.

// "S": sliding attention, "F": full attention.
std::string config_of(const std::string& model_type, const std::string& attention) {
    std::string types;
    for (const char letter : attention)
        types += std::string(types.empty() ? "" : ", ") +
                 (letter == 'S' ? "\"sliding_attention\"" : "\"full_attention\"");
    return R"({"model_type": ")" + model_type + R"(", "head_dim": 64, "rope_theta": 50000,
        "max_position_embeddings": 4096, "layer_types": [)" +
           types + "]}";
}

class DiffOfLayers : public ConfigTest {
  protected:
    Diff diff_of(const std::string& a, const std::string& b) const {
        const ResolvedModel of_a = resolve_all(a);
        return diff(of_a, resolve_all(b), {});
    }

    // "layers 0: inv_freq; full_attention: ; A: NoPE: 3"
    std::string summary(const std::string& a, const std::string& b) const {
        const Diff found = diff_of(a, b);
        std::string text;
        const auto add = [&](const std::string& part) {
            text += (text.empty() ? "" : "; ") + part;
        };
        for (const DiffedPlan& plan : found.plans)
            add(plan.layers + (plan.differing.empty() ? "" : " not " + plan.differing.front()));
        for (const std::string& layers : found.only_a) add("A " + layers);
        for (const std::string& layers : found.only_b) add("B " + layers);
        EXPECT_EQ(found.same(),
                  text.find(" not ") == text.npos && found.only_a.empty() && found.only_b.empty());
        return text;
    }
};

TEST_F(DiffOfLayers, TellsThatOneRotatesInOneConfigOnly) {
    const std::string mixed = config_of("cohere2", "SSSFSSSF");
    EXPECT_EQ(summary(mixed, config_of("cohere2", "SSSSSSSS")),
              "sliding_attention; A NoPE: full_attention");
    EXPECT_EQ(summary(mixed, config_of("cohere2", "SSSSSSSF")),
              "sliding_attention: 0–2, 4–6; A NoPE: 3; B sliding_attention: 3");
    EXPECT_EQ(summary(mixed, mixed), "sliding_attention");
}

TEST_F(DiffOfLayers, ComparesThemWhereTheyExchangeTheirKind) {
    const std::string a = config_of("gemma3_text", "SSSF");
    EXPECT_EQ(summary(a, config_of("gemma3_text", "FFFS")),
              "layers 3 (full_attention in A, sliding_attention in B) not inv_freq; "
              "layers 0–2 (sliding_attention in A, full_attention in B) not inv_freq");
    EXPECT_EQ(summary(a, config_of("gemma3_text", "SSFF")),
              "full_attention: 3; layers 2 (sliding_attention in A, full_attention in B) not "
              "inv_freq; sliding_attention: 0–1");
}

TEST_F(DiffOfLayers, ComparesThePatternsOfAKeyAndOfTheClass) {
    const auto gemma = [](const std::string& keys) {
        return R"({"model_type": "gemma3_text", "head_dim": 64, "num_hidden_layers": 12)" + keys +
               "}";
    };
    EXPECT_TRUE(diff_of(gemma(""), gemma(R"(, "sliding_window_pattern": 6)")).same());
    EXPECT_FALSE(diff_of(gemma(""), gemma(R"(, "sliding_window_pattern": 3)")).same());
    EXPECT_FALSE(diff_of(config_of("cohere2", "SSSS"),
                         R"({"model_type": "cohere2", "head_dim": 64, "rope_theta": 50000,
                             "max_position_embeddings": 4096, "num_hidden_layers": 4})")
                     .same());
}

TEST_F(DiffOfLayers, ComparesTheNumbersOfNoRopeLayers) {
    const auto smollm = [](const std::string& flags) {
        return R"({"model_type": "smollm3", "head_dim": 64, "no_rope_layers": [)" + flags + "]}";
    };
    EXPECT_EQ(summary(smollm("1, 0, 1, 0"), smollm("1, 1, 1, 0")),
              "layers 0, 2; A NoPE: 1; B layers 1");
}

TEST_F(DiffOfLayers, LeavesOutThoseThatOnlyOneOfThemHas) {
    EXPECT_EQ(summary(config_of("gemma3_text", "SSSF"), config_of("gemma3_text", "SSSFSSSF")),
              "full_attention; sliding_attention");
}

TEST_F(DiffOfLayers, GoesByTheirNamesWhereTheFilesDoNotNumberThem) {
    EXPECT_EQ(summary(R"({"model_type": "cohere2", "head_dim": 64, "rope_theta": 50000,
                          "max_position_embeddings": 4096})",
                      config_of("cohere2", "SSSF")),
              "sliding_attention");
}

TEST_F(DiffOfLayers, KeepsTheTablesOfShortAndLongSequencesApart) {
    const auto olmo = [&](const std::string& attention) {
        std::string text = config_of("olmo3", attention);
        text.pop_back();
        return text + R"(, "rope_scaling": {"rope_type": "dynamic", "factor": 4}})";
    };
    const ResolvedModel a = with_both_tables(resolve_all(olmo("SSSF")));
    EXPECT_TRUE(diff(a, a, {}).same());
    EXPECT_FALSE(diff(a, with_both_tables(resolve_all(olmo("SSFF"))), {}).same());
}

}  // namespace rope::io::explain_test
