// Models with layers that rotate differently or not at all.
#include <gtest/gtest.h>

#include <string>

#include "tests/io/resolved.hpp"

namespace rope::io {
namespace config_layers_test {

using Layers = ConfigTest;

// "full_attention: --dim 64 …; NoPE: 3"
std::string summary(const ResolvedModel& model) {
    std::string text;
    for (const LayerGroup& group : model.groups) {
        text += (text.empty() ? "" : "\n") + group.layers;
        if (group.rotates) text += ": " + flags_of(group.resolved.spec);
    }
    return text;
}

TEST_F(Layers, OfOneKindAreOneGroup) {
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64})")), "all layers: --dim 64");
}

TEST_F(Layers, ThatRotateAlikeAreOneGroup) {
    const ResolvedModel model = resolve_all(
        R"({"head_dim": 64, "rope_parameters": {"full_attention": {}, "sliding_attention": {}}})");
    EXPECT_EQ(summary(model), "full_attention, sliding_attention: --dim 64");
    EXPECT_EQ(resolve(R"({"head_dim": 64, "rope_parameters": {"a": {}, "b": {}}})").spec.head_dim,
              64u);
}

TEST_F(Layers, OfAKindThatNoLayerHasAreNotMentioned) {
    const auto cohere = [&](const std::string& types) {
        return resolve_all(R"({"model_type": "cohere2", "head_dim": 128, "layer_types": [)" +
                           types + "]}");
    };
    EXPECT_EQ(summary(cohere(R"("sliding_attention", "sliding_attention")")),
              "sliding_attention: --dim 128 --layout interleaved --max-position 8192");
    EXPECT_EQ(summary(cohere(R"("full_attention")")), "NoPE: full_attention");
    const ResolvedModel gemma = resolve_all(
        R"({"model_type": "gemma3_text", "head_dim": 64, "num_hidden_layers": 5, "rope_theta": 5e5,
            "max_position_embeddings": 512})");
    EXPECT_EQ(summary(gemma), "sliding_attention: --dim 64 --max-position 512");
    EXPECT_TRUE(gemma.ignored.empty()) << gemma.ignored.front();
    EXPECT_EQ(refusal(R"({"model_type": "cohere2", "head_dim": 128, "layer_types":
                          ["sliding_attention"]})",
                      {{"--layers", "full_attention"}}),
              "--layers: 'full_attention' is not one of sliding_attention");
}

TEST_F(Layers, NamedByAKindOfAttentionKnowTheirNumbers) {
    using Numbers = std::vector<std::uint32_t>;
    const auto numbers = [&](const std::string& keys) {
        std::vector<Numbers> all;
        for (const LayerGroup& group :
             resolve_all(R"({"model_type": "gemma3_text", "head_dim": 64)" + keys + "}").groups)
            all.push_back(group.numbers);
        return all;
    };
    EXPECT_EQ(numbers(R"(, "layer_types": ["full_attention", "sliding_attention"])"),
              (std::vector<Numbers>{{0}, {1}}));
    EXPECT_EQ(numbers(R"(, "num_hidden_layers": 6, "sliding_window_pattern": 3)"),
              (std::vector<Numbers>{{2, 5}, {0, 1, 3, 4}}));
    EXPECT_EQ(numbers(R"(, "num_hidden_layers": 4, "sliding_window_pattern": "LLG")"),
              (std::vector<Numbers>{{2}, {0, 1, 3}}));
    EXPECT_EQ(numbers(R"(, "num_hidden_layers": 2, "layer_types": ["full_attention", "other"])"),
              (std::vector<Numbers>{{0}, {}}))
        << "nobody knows how the second rotates";
}

TEST_F(Layers, OfBlocksWithoutAttentionDoNotRotate) {
    EXPECT_EQ(refusal(R"({"model_type": "nemotron-nas", "head_dim": 128, "num_hidden_layers": 2,
                          "block_configs": [{"attention": {"no_op": false}},
                                            {"attention": {"replace_with_linear": true}}]})",
                      {{"--layers", "1"}}),
              "--layers: layer 1 does not rotate (no_attention: 1); compare --rotary-dim 0 --dim "
              "HEAD_DIM, "
              "without a config, checks that its q and k stay as they are");
}

TEST_F(Layers, ArePickedByName) {
    const char* text = R"({"head_dim": 256, "rope_local_base_freq": 5000,
                           "rope_scaling": {"rope_type": "linear", "factor": 8}})";
    EXPECT_EQ(refusal(text),
              "config.json: rotates in 2 ways (full_attention; sliding_attention); --layers NAME "
              "picks one");
    EXPECT_EQ(flags_of(resolve(text, {{"--layers", "sliding_attention"}}).spec),
              "--dim 256 --base 5000");
    EXPECT_EQ(refusal(text, {{"--layers", "local"}}),
              "--layers: 'local' is not one of full_attention, sliding_attention");
}

TEST_F(Layers, TakeTheFlagsThatTheirTypeUses) {
    const char* text = R"({"head_dim": 256, "rope_local_base_freq": 5000,
                           "rope_scaling": {"rope_type": "linear", "factor": 8}})";
    EXPECT_EQ(summary(resolve_all(text, {{"--rope factor", "4"}, {"--max-position", "512"}})),
              "full_attention: --dim 256 --max-position 512 --rope rope_type=linear,factor=4\n"
              "sliding_attention: --dim 256 --max-position 512 --base 5000");
    EXPECT_EQ(refusal(text, {{"--rope mscale", "4"}}),
              "--rope mscale: rope_type linear, default does not use it; --rope rope_type=TYPE "
              "names one that "
              "does");
}

// A megabyte of either took minutes or gigabytes.
TEST_F(Layers, AndUnreadKeysAreLimitedInNumber) {
    const auto config = [](int layers, int keys) {
        std::string text = R"({"head_dim": 64, "rope_parameters": {)";
        for (int i = 0; i < layers; ++i)
            text += (i > 0 ? ", \"t" : "\"t") + std::to_string(i) + R"(": {"rope_theta": )" +
                    std::to_string(10000 + i) + "}";
        text += "}";
        for (int i = 0; i < keys; ++i) text += R"(, "rope_key)" + std::to_string(i) + R"(": 1)";
        return text + "}";
    };
    EXPECT_EQ(resolve_all(config(64, 1000)).groups.size(), 64u);
    EXPECT_EQ(refusal(config(65, 0)), "config.json: has 65 types of layers; the limit is 64");
    EXPECT_EQ(refusal(config(20000, 0)), "config.json: has 20000 types of layers; the limit is 64");
    EXPECT_EQ(refusal(config(64, 0), {{"--dim", "65536"}}),
              "config.json: has 2097152 pairs in its types of layers; the limit is 65536");
    EXPECT_EQ(refusal(config(1, 60000)),
              "config.json: has 60000 keys about rotary embeddings that nothing reads; the limit "
              "is 1000");
}

TEST_F(Layers, ListKeysThatWereReadIgnoredAndDefaulted) {
    const ResolvedModel model = resolve_all(
        R"({"head_dim": 64, "use_logn_attn": true, "rope_scaling": {"type": "yarn", "factor": 4,
            "finetuned": true}})");
    EXPECT_EQ(model.origin, "config.json");
    EXPECT_EQ(model.read,
              (std::vector<std::string>{"head_dim", "rope_scaling.factor", "rope_scaling.type"}));
    EXPECT_EQ(model.ignored, (std::vector<std::string>{"rope_scaling.finetuned", "use_logn_attn"}));
    std::string defaulted;
    for (const Origin& origin : model.defaulted)
        defaulted += origin.field + " " + origin.from + "; ";
    EXPECT_EQ(defaulted,
              "layout half_split; max_position_embeddings 2048; rope_theta 10000; beta_fast 32; "
              "beta_slow 1; ext_factor 1; truncate true; ");
}

}  // namespace config_layers_test
}  // namespace rope::io
