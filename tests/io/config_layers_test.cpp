// Models with layers that rotate differently or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/explain/explanation.hpp"
#include "io/model/resolved_model.hpp"
#include "io/render/results.hpp"
#include "io/text/json_text.hpp"
#include "rope/checks/report.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io::config_layers_test {

using ::testing::HasSubstr;
using ::testing::Not;

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

// Gemma4TextAttention of transformers: use_alternative_attention
TEST_F(Layers, OfFullAttentionMayHaveOtherKeyHeads) {
    const std::string config = R"({"model_type": "gemma4_text", "num_attention_heads": 32,
        "num_key_value_heads": 16, "num_global_key_value_heads": 4, "attention_k_eq_v": )";
    const auto key_heads = [&](const std::string& switched, const char* layers) {
        return resolve(config + switched + "}", {{"--layers", layers}}).facts.key_heads;
    };
    EXPECT_EQ(key_heads("true", "full_attention"), 4u);
    EXPECT_EQ(key_heads("true", "sliding_attention"), 16u);
    EXPECT_EQ(key_heads("false", "full_attention"), 16u);
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
    EXPECT_EQ(refusal(R"({"model_type": "cohere2", "head_dim": 128, "layer_types":
                          ["full_attention"]})"),
              "config.json: no layer rotates (NoPE: full_attention): there is no RoPE to verify");
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
              "--layers: layer 1 does not rotate (no_attention: 1); compare checks that its q and "
              "k stay as they are");
}

TEST_F(Layers, ArePickedByName) {
    const char* text = R"({"head_dim": 256, "rope_local_base_freq": 5000,
                           "rope_scaling": {"rope_type": "linear", "factor": 8}})";
    EXPECT_EQ(refusal(text),
              "config.json: has 2 kinds of layers that rotate differently (full_attention; "
              "sliding_attention); --layers NAME picks one");
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

// Warnings about other libraries' readings of a config.json. The readings are tested with
// tests/golden/configs/odd.jsonl.

using nlohmann::json;

class ConfigReading : public ConfigTest {
  protected:
    ExplainedModel explained_model(std::string_view text) const {
        return explain(with_both_tables(resolve_all(text)), {}, true);
    }
    std::string explained(std::string_view text) const {
        return explain_document(explained_model(text), false).text;
    }
    std::string lint_of(std::string_view text) const {
        std::string all;
        for (const Lint& one : resolve_all(text).lint)
            all += std::string(to_string(one.severity)) + " " + one.id + " " + one.where + "\n";
        return all;
    }
};

constexpr const char* alike = "every library that is known here reads it alike";

constexpr std::string_view yarn = R"({"head_dim": 64, "max_position_embeddings": 131072,
    "rope_scaling": {"rope_type": "yarn", "factor": 32, "original_max_position_embeddings": 4096,
                     "attention_factor": 1, "truncate": false}})";

TEST_F(ConfigReading, ChangesTheSpecAndNamesTheFields) {
    const ResolvedSpec own = resolve(yarn, {{"--reading", "mlx"}});
    EXPECT_EQ(own.spec.reading, "mlx");
    EXPECT_FALSE(own.spec.scaling.truncate || own.spec.scaling.attention_factor);
    EXPECT_EQ(origin_of(own, "truncate"), "[none]");
    EXPECT_EQ(origin_of(own, "attention_factor"), "[none]");
    EXPECT_EQ(origin_of(own, "factor"), "config.json: rope_scaling.factor");
    const ResolvedSpec usual = resolve(yarn),
                       named = resolve(yarn, {{"--reading", "transformers"}});
    EXPECT_EQ(usual.spec, named.spec);
    EXPECT_EQ(usual.spec.scaling.truncate, false);

    // vllm-project/vllm#41277: 2.5·4096/1024 − 2.5 + 1
    const auto dynamic = [&](const std::string& more) {
        return resolve(R"({"head_dim": 64, "max_position_embeddings": 4096,
                    "rope_scaling": {"type": "dynamic", "factor": 2.5)" +
                           more + "}}",
                       {{"--reading", "vllm"}});
    };
    const ResolvedSpec trained = dynamic(", \"max_trained_positions\": 1024");
    EXPECT_EQ(trained.spec.scaling.rope_type, "ntk");
    EXPECT_EQ(trained.spec.scaling.factor, 8.5);
    EXPECT_EQ(origin_of(trained, "factor"), "--reading vllm");
    EXPECT_EQ(dynamic("").spec.scaling.rope_type, "default");
}

TEST_F(ConfigReading, IsRefusedInALine) {
    EXPECT_TRUE(refusal(yarn, {{"--reading", "vlm"}})
                    .starts_with("--reading is 'vlm'; it must be one of transformers, "));
    TestGguf gguf;
    gguf.text("general.architecture", "qwen3vl");
    gguf.u32("qwen3vl.attention.key_length", 128);
    gguf.u32("qwen3vl.rope.dimension_count", 128);
    gguf.i32s("qwen3vl.rope.dimension_sections", {24, 20, 20, 0});
    const TemporaryFolder folder;
    folder.write("m.gguf", gguf.bytes());
    const auto read_gguf = [&](const char* reading) {
        return resolve_spec(folder.path() / "m.gguf", Flags{{"--reading", reading}}).spec;
    };
    EXPECT_EQ(read_gguf("ggml").axes, (AxisMap{AxisScheme::interleaved4, {24, 20, 20, 0}}));
    EXPECT_THROW(read_gguf("vllm"), InputError);
}

TEST_F(ConfigReading, IsNamedInReportsAndBaselines) {
    Report report;
    report.spec = resolve(yarn, {{"--reading", "vllm-0.25"}}).spec;
    EXPECT_EQ(spec_json(report.spec)["reading"], "vllm-0.25");
    EXPECT_FALSE(spec_json(resolve(yarn).spec).contains("reading"));
    EXPECT_THAT(parameters(report), HasSubstr(" reading=vllm-0.25"));
    const std::vector<Metric> metrics = metrics_of(report);
    EXPECT_EQ(std::ranges::count(metrics, "spec/reading", &Metric::name), 1);
}

TEST_F(ConfigReading, AreExplainedPairByPair) {
    const std::string text = explained(R"({"head_dim": 64, "max_position_embeddings": 131072,
        "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32,
        "original_max_position_embeddings": 4096, "truncate": false}})");
    // pair 17: variants.md §1.4; the rest with mpmath: 1/|Δθ| is least in pair 12
    EXPECT_THAT(
        text,
        HasSubstr("  ggml                9–17     17  0.000228   0.000129     4,530  1.347\n"));
    EXPECT_THAT(
        text,
        HasSubstr("  as the default: transformers-5.16, transformers-4.57, vllm, vllm-0.25\n"));
    EXPECT_THAT(text, HasSubstr("  mlx, mlx-lm d78bf58e\n    yarn: the ramp's ends are rounded"));
    EXPECT_THAT(explained(R"({"head_dim": 64})"),
                HasSubstr("  every library that is known here reads it alike\n"));
    EXPECT_THAT(explained(R"({"head_dim": 64, "rope_parameters": {"rope_type": "he_xu"}})"),
                HasSubstr("  not read by vllm: vLLM newer than 0.25 has no rope_type he_xu;"));
}

TEST_F(ConfigReading, AreExplainedForBothTablesOfDynamic) {
    const std::string text = explained(R"({"head_dim": 64, "max_position_embeddings": 4096,
        "rope_scaling": {"type": "dynamic", "factor": 4}})");
    // long sequences: llama.cpp and vLLM keep the short ones' base
    const std::size_t beyond = text.find("long sequences:");
    EXPECT_THAT(text.substr(0, beyond), Not(HasSubstr("  ggml  ")));
    EXPECT_THAT(text.substr(beyond), HasSubstr("  ggml"));
    EXPECT_THAT(text.substr(beyond), HasSubstr("vllm"));
}

// MiMo-V2: transformers 5 has separate bases, and full attention in layers 0, 5, 11, …
std::string mimo(const std::string& keys) {
    return R"({"model_type": "mimo_v2_flash", "head_dim": 192, "num_hidden_layers": 8,
        "max_position_embeddings": 262144)" +
           keys + "}";
}

const std::string odd_mimo = mimo(R"(, "partial_rotary_factor": 0.334, "rope_theta": 640000,
    "swa_rope_theta": 50000, "hybrid_layer_pattern": [0, 1, 1, 0, 1, 1, 1, 0])");

TEST_F(ConfigReading, OfMiMoIsNotReportedAsEqualNorItsKeysAsMisspelled) {
    const std::string text = explained(odd_mimo);
    EXPECT_THAT(text, Not(HasSubstr(alike)));
    EXPECT_THAT(text, HasSubstr("  vllm, vLLM newer than 0.25\n    MiMo-V2: rope_theta, 1000000"));
    EXPECT_THAT(text, HasSubstr("layers that rotate so: 0, 3, 7 (transformers 5: 0, 5)"));
    EXPECT_EQ(lint_of(odd_mimo),
              "warning pattern-unread config.json: hybrid_layer_pattern\n"
              "warning unread-key config.json: rope_theta\n"
              "warning unread-key config.json: swa_rope_theta\n");
    EXPECT_EQ(lint_of(mimo(R"(, "partial_rotary_factor": 0.5, "rope_theta": 5000000,
                                "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1, 1])")),
              "warning unread-key config.json: partial_rotary_factor\n");
}

TEST_F(ConfigReading, OfNopeLayersIsReportedAsDifferentIfItIs) {
    const std::string class_of = R"({"model_type": "smollm3", "head_dim": 128,
        "rope_theta": 500000, "num_hidden_layers": 8)";
    const std::string smollm3 = class_of + R"(, "no_rope_layers": [1, 0, 1, 0, 1, 0, 1, 0]})";
    const std::string odd = explained(smollm3);
    EXPECT_THAT(odd, Not(HasSubstr(alike)));
    EXPECT_THAT(odd, HasSubstr("layers that rotate so: 0–2, 4–6 (transformers 5: 0, 2, 4, 6)"));
    EXPECT_THAT(odd, HasSubstr("  as the default: transformers-5.16, transformers-4.57,"));
    EXPECT_THAT(explained(class_of + "}"), HasSubstr(alike));
    const auto found = json::parse(explain_document(explained_model(smollm3), false).json);
    const auto& readings = found["plans"][0]["readings"];
    EXPECT_EQ(readings["layers"], (std::vector<std::uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(readings["others"][0]["layers"], (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6}));
    EXPECT_EQ(readings["others"][0]["by"][0]["reading"], "ggml");
}

TEST_F(ConfigReading, IsNotReportedAsEqualIfKeysOrTheClassAreUnknown) {
    const std::string unread = explained(
        R"({"model_type": "llama", "head_dim": 64, "rope_theta": 10000, "rope_3d": true})");
    EXPECT_THAT(unread, Not(HasSubstr(alike)));
    EXPECT_THAT(unread, HasSubstr("transformers 5 does not read rope_3d; another library may"));
    const std::string unknown =
        explained(R"({"model_type": "frobnicator", "head_dim": 64, "rope_theta": 10000})");
    EXPECT_THAT(unknown, Not(HasSubstr(alike)));
    EXPECT_THAT(unknown, HasSubstr("no rule of rope-check list readings changes it"));
    EXPECT_THAT(unknown, HasSubstr("the class frobnicator is not known here"));
    EXPECT_THAT(explained(R"({"model_type": "llama", "head_dim": 64})"), HasSubstr(alike));
}

}  // namespace rope::io::config_layers_test
