// What a reading looks at in a config.json beside its Spec, and what is said of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/explain/explanation.hpp"
#include "io/explain/lists.hpp"
#include "io/json/json_text.hpp"
#include "io/render/report_text.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/report/metric.hpp"
#include "rope/spec/frequency.hpp"
#include "tests/io/config_fixture.hpp"
#include "tests/io/gguf_bytes.hpp"

namespace rope::io {
namespace config_reading_test {

using nlohmann::json;

class ConfigReading : public ConfigTest {
  protected:
    Spec read(std::string_view text, const char* reading, Flags flags = {}) const {
        flags.push_back({"--reading", reading});
        return resolve(text, flags).spec;
    }
    std::string explained(std::string_view text) const {
        ExplainedModel model = explain(with_both_tables(resolve_all(text)), {});
        add_readings(model);
        return explain_document(model, false).text;
    }
};

double attention_factor(const Spec& spec) {
    return plan_frequencies(spec, exact_precision).attention_factor;
}

constexpr std::string_view yarn = R"({"head_dim": 64, "max_position_embeddings": 131072,
    "rope_scaling": {"rope_type": "yarn", "factor": 32, "original_max_position_embeddings": 4096,
                     "attention_factor": 1, "truncate": false}})";

TEST_F(ConfigReading, ChangesTheSpecAndSaysWhichFields) {
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

    const ResolvedSpec dynamic = resolve(R"({"head_dim": 64, "max_position_embeddings": 4096,
                    "rope_scaling": {"type": "dynamic", "factor": 2.5}})",
                                         {{"--reading", "vllm"}});
    EXPECT_EQ(dynamic.spec.seq_len, 10240U);
    EXPECT_EQ(origin_of(dynamic, "seq_len"), "--reading vllm");
}

TEST_F(ConfigReading, LooksAtWhereTheOriginalLengthStands) {
    constexpr std::string_view on_top = R"({"head_dim": 64, "max_position_embeddings": 131072,
        "original_max_position_embeddings": 4096,
        "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
                         "high_freq_factor": 4, "original_max_position_embeddings": 2048}})";
    const auto length = [&](const char* reading, const Flags& flags = {}) {
        return read(on_top, reading, flags).scaling.original_max_position_embeddings;
    };
    EXPECT_EQ(length("transformers"), 4096U);
    EXPECT_EQ(length("transformers-4.57"), 2048U);
    EXPECT_EQ(length("ggml"), 4096U);
    EXPECT_EQ(length("mlx"), 2048U);
    EXPECT_EQ(length("tensorrt-llm"), 4096U);
    for (const Reading& reading : readings())  // a flag's is every library's
        EXPECT_EQ(length(std::string(reading.name).c_str(),
                         {{"--rope original_max_position_embeddings", "1024"}}),
                  1024U);
    EXPECT_EQ(resolve_spec(std::nullopt, Flags{{"--rope rope_type", "yarn"},
                                               {"--rope factor", "4"},
                                               {"--rope original_max_position_embeddings", "512"},
                                               {"--reading", "mlx"}})
                  .spec.scaling.original_max_position_embeddings,
              512U);
}

TEST_F(ConfigReading, LooksAtKeysThatTransformersDoesNotRead) {
    constexpr std::string_view text = R"({"head_dim": 64, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "yarn", "factor": 16, "attn_factor": 0.5,
                         "original_max_position_embeddings": 4096, "extrapolation_factor": 0.25}})";
    EXPECT_NEAR(attention_factor(read(text, "vllm-0.25")), 1.2772588722239782 / 2, 1e-15);
    EXPECT_NEAR(attention_factor(read(text, "ggml")), 1.2772588722239782, 1e-15);
    EXPECT_FALSE(read(text, "ggml").scaling.ext_factor);  // written, and read of grok alone
    EXPECT_FALSE(read(text, "vllm").scaling.ext_factor);
    // looking at them does not make them read
    const ResolvedSpec own = resolve(text, {{"--reading", "vllm-0.25"}});
    EXPECT_EQ(own.ignored, resolve(text).ignored);
    EXPECT_EQ(own.ignored.size(), 2U);

    EXPECT_NO_THROW(read(R"({"head_dim": 64, "rope_scaling": {"rope_type": "linear", "factor": 2,
                             "attn_factor": "high", "mixed_b": []}})",
                         "vllm-0.25"));

    constexpr std::string_view mixed = R"({"head_dim": 64, "rope_scaling":
        {"rope_type": "ntk", "factor": 16, "mixed_b": 0.625}})";
    EXPECT_EQ(read(mixed, "vllm").scaling.mixed_b, 0.625);
    EXPECT_EQ(read(mixed, "vllm").scaling.rope_type, "ntk_mixed");
    constexpr std::string_view alpha = R"({"head_dim": 64, "rope_scaling":
        {"type": "dynamic", "alpha": 1000, "factor": 1}})";
    for (const char* name : {"vllm", "ggml", "tensorrt-llm", "mlx"})
        EXPECT_EQ(read(alpha, name).scaling, resolve(alpha).spec.scaling) << name;
}

// Phi-3.5-MoE's own 1.2431 (modeling_phimoe.py), where the formula is √(1 + ln 32/ln 4096); vLLM
// reads the keys of every class (get_rope), and nobody else
TEST_F(ConfigReading, TakesTheAttentionFactorsOfLongropesListsFromWhomTheyAreReadOf) {
    const auto config = [](const std::string& type) {
        return R"({"model_type": ")" + type + R"(", "head_dim": 4, "rope_theta": 10000,
            "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
            "rope_scaling": {"type": "longrope", "short_factor": [1, 1.5], "long_factor": [2, 64],
                             "short_mscale": 1.1, "long_mscale": 1.243163121016122}})";
    };
    const auto factor = [&](const std::string& type, const char* reading, const char* length) {
        return attention_factor(read(config(type), reading, {{"--rope seq_len", length}}));
    };
    constexpr double formula = 1.190238071423808;
    EXPECT_EQ(factor("phimoe", "transformers", "4096"), 1.1);
    EXPECT_EQ(factor("phimoe", "transformers", "4097"), 1.243163121016122);
    EXPECT_NEAR(factor("phi3", "transformers", "4097"), formula, 1e-15);
    for (const char* name : {"vllm", "vllm-0.25"})
        EXPECT_EQ(factor("phi3", name, "100"), 1.243163121016122) << name;
    for (const char* name : {"ggml", "tensorrt-llm"})
        EXPECT_NEAR(factor("phimoe", name, "4097"), formula, 1e-15) << name;
    EXPECT_EQ(factor("phimoe", "mlx", "4097"), 1.243163121016122);
}

// ERNIE-4.5-VL: [22, 22, 20] of height, width and time, whether the file says so or not; HunYuan's
// xdrope: positions, widths, heights and images under the base of alpha
TEST_F(ConfigReading, GivesEachClassItsOwnOrderOfAxes) {
    for (const char* section :
         {"", R"("rope_scaling": {"type": "default", "mrope_section": [22, 22, 20]},)"}) {
        const Spec ernie =
            resolve(R"({"model_type": "ernie4_5_vl_moe_text", )" + std::string(section) +
                    R"("hidden_size": 2560, "num_attention_heads": 20})")
                .spec;
        EXPECT_EQ(ernie.axes, (AxisMap{AxisScheme::height_width_time, {22, 22, 20}}));
        EXPECT_EQ(ernie.layout, PairLayout::interleaved);
        EXPECT_EQ(ernie.rope_theta, 500000);
    }
    const Spec xdrope =
        resolve(R"({"model_type": "hunyuan_vl_text", "head_dim": 128, "rope_scaling":
        {"type": "xdrope", "alpha": 1000, "xdrope_section": [16, 16, 16, 16]}})")
            .spec;
    EXPECT_EQ(xdrope.axes, (AxisMap{AxisScheme::sectioned, {16, 16, 16, 16}}));
    EXPECT_EQ(xdrope.scaling, (Scaling{.rope_type = "ntk", .factor = 1000}));
}

// 1·4096 is the length of the other table.
TEST_F(ConfigReading, OfADynamicFactorOf1HasALongTableFromTheNextPositionOn) {
    const ResolvedModel model = with_both_tables(resolve_all(
        R"({"head_dim": 64, "max_position_embeddings": 4096, "rope_theta": 10000,
            "rope_scaling": {"type": "dynamic", "factor": 1.0}})"));
    ASSERT_EQ(model.groups.size(), 2U);
    EXPECT_EQ(model.groups[0].resolved.spec.seq_len, 4096U);
    EXPECT_EQ(model.groups[1].resolved.spec.seq_len, 4097U);
}

// configuration_qwen.py: seq_length is the length of training, use_dynamic_ntk true
TEST_F(ConfigReading, OfQwen7BStepsItsBaseWithTheLength) {
    constexpr std::string_view text = R"({"model_type": "qwen", "kv_channels": 128,
        "max_position_embeddings": 32768, "seq_length": 8192, "use_dynamic_ntk": true,
        "use_logn_attn": true, "rotary_emb_base": 10000})";
    const ResolvedModel model = with_both_tables(resolve_all(text));
    ASSERT_EQ(model.groups.size(), 2U);
    const Spec shorter = model.groups[0].resolved.spec, longer = model.groups[1].resolved.spec;
    EXPECT_EQ(shorter.scaling.rope_type, "qwen_ntk");
    EXPECT_EQ(shorter.max_position_embeddings, 8192U);
    EXPECT_EQ(shorter.seq_len, 8192U);
    EXPECT_EQ(longer.seq_len, 16384U);
    EXPECT_EQ(model.ignored, std::vector<std::string>{"use_logn_attn"});
    EXPECT_EQ(resolve(R"({"model_type": "qwen", "use_dynamic_ntk": false})").spec.scaling,
              Scaling{});
}

// sgl-project/sglang#14745: base 10000 of getattr(config, "rope_theta", 10000) on a config of
// transformers 5; Mixtral's class has 1e6 (configuration_mixtral.py at v4.57.6)
TEST_F(ConfigReading, OfTransformers4FindsNothingInRopeParameters) {
    constexpr std::string_view text = R"({"model_type": "llama", "head_dim": 64,
        "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000, "factor": 32,
                            "low_freq_factor": 1, "high_freq_factor": 4,
                            "original_max_position_embeddings": 8192}})";
    for (const char* name : {"transformers-4.57", "transformers-4.45"}) {
        const ResolvedSpec own = resolve(text, {{"--reading", name}});
        EXPECT_EQ(own.spec.rope_theta, 10000);
        EXPECT_EQ(own.spec.scaling, Scaling{});
        EXPECT_EQ(origin_of(own, "rope_theta"), "--reading " + std::string(name));
        EXPECT_EQ(read(R"({"model_type": "mixtral", "head_dim": 64,
                           "rope_parameters": {"rope_theta": 500000}})",
                       name)
                      .rope_theta,
                  1e6);
        EXPECT_EQ(read(R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000,
                           "rope_scaling": {"rope_type": "linear", "factor": 4}})",
                       name)
                      .rope_theta,
                  500000);
    }
    EXPECT_EQ(resolve(text).spec.rope_theta, 500000);
    // gpt-oss's class has its scaling, whatever the file says
    EXPECT_EQ(read(R"({"model_type": "gpt_oss", "rope_parameters": {"rope_type": "yarn",
                       "rope_theta": 150000, "factor": 32, "truncate": false,
                       "original_max_position_embeddings": 4096}})",
                   "transformers-4.57")
                  .scaling.rope_type,
              "yarn");
}

std::string both_types(const char* model_type, const char* rope_type, const char* type) {
    return std::string(R"({"head_dim": 128, "max_position_embeddings": 8192, "rope_theta": 500000,
        "model_type": ")") +
           model_type + R"(", "rope_scaling": {"rope_type": ")" + rope_type + R"(", "type": ")" +
           type + R"(", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                      "original_max_position_embeddings": 8192}})";
}

// mlx-lm's initialize_rope and TensorRT-LLM's RopeParams.from_config look for type first;
// LlamaConfig of transformers 4.57 copies it over rope_type; vLLM's patch_rope_parameters_dict
// raises ValueError
TEST_F(ConfigReading, ChoosesBetweenRopeTypeAndTypeAsItsLibraryDoes) {
    const std::string text = both_types("llama", "llama3", "linear");
    for (const char* name : {"mlx", "tensorrt-llm", "transformers-4.57", "transformers-4.45"}) {
        const ResolvedSpec own = resolve(text, {{"--reading", name}});
        EXPECT_EQ(own.spec.scaling, (Scaling{.rope_type = "linear", .factor = 8})) << name;
        EXPECT_EQ(origin_of(own, "rope_type"), "--reading " + std::string(name));
    }
    for (const char* name : {"transformers", "ggml", "paper"})
        EXPECT_EQ(read(text, name).scaling.rope_type, "llama3") << name;
    for (const char* name : {"vllm", "vllm-0.25"})
        EXPECT_NE(refusal(text, {{"--reading", name}})
                      .find("rope_type is llama3 together with type linear"),
                  std::string::npos);
    EXPECT_EQ(
        read(both_types("mistral", "llama3", "linear"), "transformers-4.57").scaling.rope_type,
        "llama3");
    EXPECT_EQ(read(text, "mlx", {{"--rope factor", "4"}}).scaling.factor, 4);
    EXPECT_EQ(read(text, "mlx", {{"--rope rope_type", "llama3"}}).scaling.rope_type, "llama3");
    EXPECT_EQ(explained(text).find("reads it alike"), std::string::npos);
}

TEST_F(ConfigReading, OfAKeyThatCannotBeReadIsRefusedAlone) {
    constexpr std::string_view text = R"({"head_dim": 64, "rope_scaling": {"rope_type": "linear",
        "type": "yarn", "factor": 2, "beta_fast": "fast"}})";
    EXPECT_EQ(resolve(text).spec.scaling.rope_type, "linear");
    EXPECT_NE(refusal(text, {{"--reading", "mlx"}}), "");
}

TEST_F(ConfigReading, KnowsTheTypeThatItChose) {
    // TensorRT-LLM has no proportional, and mlx-lm no ntk
    EXPECT_EQ(read(both_types("any", "proportional", "linear"), "tensorrt-llm").scaling.rope_type,
              "linear");
    EXPECT_NE(refusal(both_types("any", "linear", "ntk"), {{"--reading", "mlx"}})
                  .find("has no rope_type ntk"),
              std::string::npos);
    for (const auto& [own, older] : {std::pair{"longrope", "su"}, {"default", "mrope"}}) {
        ConfigFacts facts{.rope_type = own, .older_type = older};
        EXPECT_NO_THROW(read_as(find_reading("vllm"), Spec{}, facts));
        std::swap(facts.rope_type, facts.older_type);
        EXPECT_THROW(read_as(find_reading("vllm"), Spec{}, facts), InputError);
    }
}

// ml-explore/mlx-lm#1563: "rope_theta is nested under rope_parameters", which Qwen3 stops at;
// ModelArgs of llama.py has 10000, of qwen2.py 1000000, of gemma3_text.py 1000000 and 10000
TEST_F(ConfigReading, OfMlxFindsNothingInRopeParametersOfOlderClasses) {
    const auto of = [](const char* type, const char* more = "") {
        return std::string(
                   R"({"head_dim": 128, "max_position_embeddings": 32768, "model_type": ")") +
               type + '"' + more + R"(, "rope_parameters": {"rope_type": "linear", "factor": 2,
                                                            "rope_theta": 5000000}})";
    };
    EXPECT_EQ(read(of("llama"), "mlx").rope_theta, 10000);
    EXPECT_EQ(read(of("llama"), "mlx").scaling, Scaling{});
    EXPECT_EQ(read(of("qwen2"), "mlx").rope_theta, 1000000);
    EXPECT_EQ(read(of("qwen3", R"(, "rope_theta": 77)"), "mlx").rope_theta, 77);
    EXPECT_NE(refusal(of("qwen3"), {{"--reading", "mlx"}})
                  .find("rope_theta is missing at the top level, where mlx-lm d78bf58e needs it"),
              std::string::npos);
    // ModelArgs of phi.py has a partial_rotary_factor of 0.4, transformers' class 0.5
    EXPECT_EQ(read(of("phi"), "mlx", {{"--dim", "80"}}).rotary_dim, 32U);
    for (const char* type : {"qwen3_5_text", "lfm2", "ministral3", "glm_moe_dsa", "unheard_of"})
        EXPECT_EQ(read(of(type), "mlx").rope_theta, 5000000) << type;
}

// LlamaRotaryEmbedding of 4.57 and mlx-lm's Attention take the base of the top level
TEST_F(ConfigReading, FindsNoBaseInRopeScalingWhereItIsOfTheTop) {
    const auto of = [](const char* more) {
        return std::string(R"({"model_type": "llama", "head_dim": 64)") + more +
               R"(, "rope_scaling": {"rope_type": "linear", "factor": 2, "rope_theta": 500000}})";
    };
    for (const char* name : {"transformers-4.57", "transformers-4.45", "mlx"}) {
        EXPECT_EQ(read(of(""), name).rope_theta, 10000) << name;
        EXPECT_EQ(read(of(""), name).scaling.factor, 2) << name;
        EXPECT_EQ(read(of(R"(, "rope_theta": 77)"), name).rope_theta, 77) << name;
        EXPECT_EQ(read(of(""), name, {{"--base", "99"}}).rope_theta, 99) << name;
    }
    for (const char* name : {"transformers", "vllm", "ggml"})
        EXPECT_EQ(read(of(R"(, "rope_theta": 77)"), name).rope_theta, 500000) << name;
}

// laguna/configuration_laguna.py, convert_rope_params_to_dict @c49429ed: folds nothing
TEST_F(ConfigReading, OfLagunaFoldsNoFractionOfTheTopIntoSections) {
    const std::string config = R"({"model_type": "laguna", "head_dim": 128,
        "partial_rotary_factor": 0.5, "num_hidden_layers": 2,
        "layer_types": ["full_attention", "sliding_attention"], "rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 5e5, "partial_rotary_factor": 0.25},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})";
    const auto groups = resolve_all(config).groups;
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].resolved.spec.rotary_dim, 32U);
    EXPECT_EQ(groups[1].resolved.spec.rotary_dim, 128U);
    EXPECT_EQ(groups[1].resolved.lint.front().where, "config.json: partial_rotary_factor");
}

TEST_F(ConfigReading, LeavesTheBaseOfAFlag) {
    constexpr std::string_view text = R"({"model_type": "llama", "head_dim": 64,
        "rope_parameters": {"rope_type": "default", "rope_theta": 500000}})";
    for (const Reading& reading : readings())
        for (const char* flag : {"--base", "--rope-theta"})
            EXPECT_EQ(read(text, std::string(reading.name).c_str(), {{flag, "77"}}).rope_theta, 77)
                << reading.name;
    const std::string mimo = R"({"model_type": "mimo_v2_flash", "head_dim": 192,
        "partial_rotary_factor": 0.334, "rope_theta": 640000, "swa_rope_theta": 50000})";
    EXPECT_EQ(read(mimo, "vllm", {{"--base", "77"}, {"--layers", "sliding"}}).rope_theta, 77);
}

// transformers 5 takes default_theta of cohere, olmo3, persimmon, qwen3_vl_text and falcon_h1,
// whose configurations of 4.57 had another default of rope_theta
TEST_F(ConfigReading, TakesTheBaseOfTheVersionWhereTheFileHasNone) {
    const auto of = [](const char* type, const char* keys) {
        return std::string(R"({"head_dim": 64, "model_type": ")") + type + '"' + keys + "}";
    };
    struct Class {
        const char* type;
        double now, before;
    };
    for (const auto& [type, now, before] :
         {Class{"cohere", 500000, 10000}, Class{"olmo3", 500000, 10000},
          Class{"persimmon", 10000, 25000}, Class{"qwen3_vl_text", 500000, 5000000},
          Class{"falcon_h1", 10000, 100000}}) {
        for (const char* keys : {"", R"(, "rope_parameters": {"rope_type": "default"})"}) {
            EXPECT_EQ(resolve(of(type, keys)).spec.rope_theta, now) << type << keys;
            EXPECT_EQ(read(of(type, keys), "transformers-4.57").rope_theta, before) << type << keys;
        }
        EXPECT_EQ(read(of(type, ""), "transformers-4.45").rope_theta, before) << type;
        const char* given = R"(, "rope_theta": 1234)";
        EXPECT_EQ(read(of(type, given), "transformers-4.57").rope_theta, 1234) << type;
        EXPECT_EQ(read(of(type, ""), "transformers-4.57", {{"--base", "77"}}).rope_theta, 77);
        EXPECT_NE(explained(of(type, "")).find("transformers-4.57"), std::string::npos) << type;
    }
}

TEST_F(ConfigReading, LooksAtTheModelsClass) {
    constexpr std::string_view text = R"({"model_type": "deepseek_v3", "qk_rope_head_dim": 64,
        "max_position_embeddings": 163840,
        "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1, "mscale_all_dim": 1,
                         "original_max_position_embeddings": 4096}})";
    for (const char* name : {"vllm", "vllm-0.25", "ggml", "mlx", "tensorrt-llm"})
        EXPECT_EQ(attention_factor(read(text, name)), 1) << name;
    const std::string other(text);
    const std::string qwen = "{\"model_type\": \"qwen2\"" + other.substr(other.find(','));
    EXPECT_NEAR(attention_factor(read(qwen, "vllm-0.25")), 1.3688879454113936, 1e-15);
}

TEST_F(ConfigReading, IsRefusedInALine) {
    EXPECT_EQ(refusal(R"({"head_dim": 64, "rope_scaling": {"type": "ntk", "factor": 2}})",
                      {{"--reading", "mlx"}}),
              "--reading mlx: mlx-lm d78bf58e has no rope_type ntk; it reads default, linear, "
              "dynamic, yarn, longrope, llama3, proportional");
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

TEST_F(ConfigReading, StandsInReportsAndBaselines) {
    Report report;
    report.spec = read(yarn, "vllm-0.25");
    EXPECT_EQ(spec_json(report.spec)["reading"], "vllm-0.25");
    EXPECT_FALSE(spec_json(resolve(yarn).spec).contains("reading"));
    EXPECT_NE(parameters(report).find(" reading=vllm-0.25"), std::string::npos);
    const std::vector<Metric> metrics = metrics_of(report);
    EXPECT_EQ(std::ranges::count(metrics, "spec/reading", &Metric::name), 1);
}

TEST_F(ConfigReading, AreExplainedPairByPair) {
    const std::string text = explained(R"({"head_dim": 64, "max_position_embeddings": 131072,
        "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32,
        "original_max_position_embeddings": 4096, "truncate": false}})");
    // pair 17: variants.md §1.4; the rest with mpmath: 1/|Δθ| is least in pair 12
    EXPECT_NE(text.find("  ggml                9–17     17  0.000228  0.000129      4530  1.347\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  as transformers 5: transformers-4.57, vllm, vllm-0.25\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  mlx, mlx-lm d78bf58e\n    yarn: the ramp's ends are rounded"),
              std::string::npos)
        << text;
    EXPECT_NE(explained(R"({"head_dim": 64})")
                  .find("  every library that is known here reads it alike\n"),
              std::string::npos);
    EXPECT_NE(explained(R"({"head_dim": 64, "rope_parameters": {"rope_type": "he_xu"}})")
                  .find("  not read by vllm: vLLM after 0.25 has no rope_type he_xu;"),
              std::string::npos);
}

TEST_F(ConfigReading, AreExplainedForBothTablesOfDynamic) {
    const std::string text = explained(R"({"head_dim": 64, "max_position_embeddings": 4096,
        "rope_scaling": {"type": "dynamic", "factor": 4}})");
    // short sequences: vLLM's base; long ones: the same, where llama.cpp's is still the short one's
    const std::size_t beyond = text.find("long sequences:");
    EXPECT_NE(text.substr(0, beyond).find("  vllm  "), std::string::npos) << text;
    EXPECT_EQ(text.substr(beyond).find("  vllm  "), std::string::npos) << text;
    EXPECT_EQ(text.substr(0, beyond).find("  ggml  "), std::string::npos) << text;
    EXPECT_NE(text.substr(beyond).find("  ggml  "), std::string::npos) << text;
}

}  // namespace config_reading_test
}  // namespace rope::io
