#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "io/file/file_descriptor.hpp"
#include "io/resolve/resolved_model.hpp"
#include "tests/io/config_fixture.hpp"
#include "tests/io/refused.hpp"

namespace rope::io {
namespace config_test {

using Config = ConfigTest;

struct Good {
    const char* name;
    const char* text;
    Spec spec;
    const char* field;  // an origin that must be right
    const char* from;

    friend void PrintTo(const Good& row, std::ostream* out) { *out << row.name; }
};

class GoodConfig : public Config, public testing::WithParamInterface<Good> {};

TEST_P(GoodConfig, IsResolved) {
    const ResolvedSpec resolved = resolve(GetParam().text);
    EXPECT_EQ(resolved.spec, GetParam().spec);
    EXPECT_EQ(origin_of(resolved, GetParam().field), GetParam().from);
    EXPECT_TRUE(resolved.ignored.empty()) << resolved.ignored.front();
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Fragments, GoodConfig, testing::Values(
    Good{"head_dim_alone", R"({"head_dim": 64})", spec(64, 64, half, 2048, 1e4), "head_dim", "config.json: head_dim"},
    Good{"hidden_over_heads", R"({"hidden_size": 4096, "num_attention_heads": 32})", spec(128, 128, half, 2048, 1e4), "rotary_dim", "config.json: hidden_size / num_attention_heads"},
    Good{"rounded_down", R"({"hidden_size": 4100, "num_attention_heads": 64})", spec(64, 64, half, 2048, 1e4), "head_dim", "config.json: hidden_size / num_attention_heads"},
    Good{"null_head_dim", R"({"head_dim": null, "hidden_size": 128, "num_attention_heads": 2})", spec(64, 64, half, 2048, 1e4), "head_dim", "config.json: hidden_size / num_attention_heads"},
    Good{"head_dim_wins", R"({"head_dim": 256, "hidden_size": 128, "num_attention_heads": 2})", spec(256, 256, half, 2048, 1e4), "head_dim", "config.json: head_dim"},
    Good{"old_default", R"({"head_dim": 64, "rope_theta": 500000, "rope_scaling": null, "max_position_embeddings": 8192})", spec(64, 64, half, 8192, 5e5), "rope_theta", "config.json: rope_theta"},
    Good{"old_linear_type", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 4}})", spec(64, 64, half, 2048, 1e4, linear(4.0)), "rope_type", "config.json: rope_scaling.type"},
    Good{"old_linear_both", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "rope_type": "linear", "factor": 2.5}})", spec(64, 64, half, 2048, 1e4, linear(2.5)), "rope_type", "config.json: rope_scaling.rope_type"},
    Good{"empty_scaling", R"({"head_dim": 64, "rope_scaling": {}})", spec(64, 64, half, 2048, 1e4), "rope_type", "default"},
    Good{"new_style", R"({"head_dim": 64, "rope_parameters": {"rope_type": "linear", "factor": 8, "rope_theta": 1e6}})", spec(64, 64, half, 2048, 1e6, linear(8.0)), "rope_theta", "config.json: rope_parameters.rope_theta"},
    Good{"new_style_theta_outside", R"({"head_dim": 64, "rope_theta": 5e5, "rope_parameters": {"rope_type": "default"}})", spec(64, 64, half, 2048, 5e5), "rope_theta", "config.json: rope_theta"},
    Good{"new_style_partial", R"({"head_dim": 128, "rope_parameters": {"partial_rotary_factor": 0.5}})", spec(128, 64, half, 2048, 1e4), "rotary_dim", "config.json: rope_parameters.partial_rotary_factor · head_dim"},
    Good{"empty_new_style", R"({"head_dim": 64, "rope_scaling": null, "rope_parameters": {}})", spec(64, 64, half, 2048, 1e4), "rope_theta", "default"},
    Good{"llama3", R"({"head_dim": 64, "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", spec(64, 64, half, 131072, 1e4, llama3(8, 1, 4, 8192)), "original_max_position_embeddings", "config.json: rope_scaling.original_max_position_embeddings"},
    Good{"llama3_without_original", R"({"head_dim": 64, "max_position_embeddings": 4096, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}})", spec(64, 64, half, 4096, 1e4, llama3(8, 1, 4, 4096)), "original_max_position_embeddings", "config.json: max_position_embeddings"},
    Good{"llama3_original_outside", R"({"head_dim": 64, "original_max_position_embeddings": 2048, "rope_parameters": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}})", spec(64, 64, half, 2048, 1e4, llama3(8, 1, 4, 2048)), "original_max_position_embeddings", "config.json: original_max_position_embeddings"},
    Good{"partial", R"({"head_dim": 96, "partial_rotary_factor": 0.4})", spec(96, 38, half, 2048, 1e4), "rotary_dim", "config.json: partial_rotary_factor · head_dim"},
    Good{"phi2", R"({"hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.4, "model_type": "phi"})", spec(80, 32, half, 2048, 1e4), "layout", "config.json: model_type phi"},
    Good{"gpt_neox", R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 25000})", spec(96, 24, half, 2048, 25000), "rope_theta", "config.json: rotary_emb_base"},
    Good{"gptj", R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_positions": 2048, "rotary_dim": 64})", spec(256, 64, interleaved, 2048, 1e4), "layout", "config.json: model_type gptj"},
    Good{"cohere", R"({"model_type": "cohere", "hidden_size": 8192, "num_attention_heads": 64, "rope_theta": 8e6})", spec(128, 128, interleaved, 8192, 8e6), "layout", "config.json: model_type cohere"},
    Good{"glm4", R"({"model_type": "glm4", "head_dim": 128, "partial_rotary_factor": 0.5})", spec(128, 64, interleaved, 131072, 1e4), "layout", "config.json: model_type glm4"},
    Good{"glm4_moe", R"({"model_type": "glm4_moe", "head_dim": 128, "partial_rotary_factor": 0.5})", spec(128, 64, half, 131072, 1e4), "layout", "config.json: model_type glm4_moe"},
    Good{"moonshine", R"({"model_type": "moonshine", "hidden_size": 288, "encoder_num_attention_heads": 8, "decoder_num_attention_heads": 8, "pad_head_dim_to_multiple_of": 8})", spec(36, 32, interleaved, 512, 1e4), "head_dim", "config.json: hidden_size / encoder_num_attention_heads"},
    Good{"olmo_hybrid", R"({"model_type": "olmo_hybrid", "rope_parameters": {"rope_theta": 5e5}})", spec(128, 128, half, 65536, 5e5), "rope_theta", "config.json: rope_parameters.rope_theta"},
    Good{"bailing_hybrid", R"({"model_type": "bailing_hybrid", "head_dim": 128, "qk_rope_head_dim": 64, "partial_rotary_factor": 0.5, "rope_theta": 6e6})", spec(64, 64, PairLayout::interleaved_to_half_split, 32768, 6e6), "rotary_dim", "config.json: qk_rope_head_dim"},
    Good{"chatglm", R"({"model_type": "chatglm", "kv_channels": 128, "rope_ratio": 500, "seq_length": 131072})", spec(128, 64, interleaved, 131072, 5e6), "rope_theta", "config.json: rope_ratio"},
    Good{"text_config", R"({"model_type": "llava", "text_config": {"head_dim": 64, "rope_theta": 5e5}})", spec(64, 64, half, 2048, 5e5), "rope_theta", "config.json: text_config.rope_theta"},
    Good{"text_config_scaling", R"({"text_config": {"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2}}})", spec(64, 64, half, 2048, 1e4, linear(2.0)), "factor", "config.json: text_config.rope_scaling.factor"},
    Good{"he_xu", R"({"head_dim": 64, "rope_parameters": {"rope_type": "he_xu"}})", spec(64, 64, half, 2048, 1e4, he_xu()), "rope_type", "config.json: rope_parameters.rope_type"},
    Good{"rotary_dim_agrees", R"({"head_dim": 128, "rotary_dim": 64, "partial_rotary_factor": 0.5})", spec(128, 64, half, 2048, 1e4), "rotary_dim", "config.json: rotary_dim"}),
    [](const auto& row) { return row.param.name; });

class BadConfig : public Config, public testing::WithParamInterface<Refused> {};

TEST_P(BadConfig, IsRefusedWithFileKeyAndValue) { EXPECT_EQ(refusal(GetParam().input), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(Fragments, BadConfig, testing::Values(
    Refused{"true_head_dim", R"({"head_dim": true})", "config.json: head_dim is true; it must be a whole number from 2 to 65536"},
    Refused{"fractional_head_dim", R"({"head_dim": 128.7})", "config.json: head_dim is 128.7; it must be a whole number from 2 to 65536"},
    Refused{"text_head_dim", R"({"head_dim": "128"})", "config.json: head_dim is \"128\"; it must be a whole number from 2 to 65536"},
    Refused{"negative_head_dim", R"({"head_dim": -1})", "config.json: head_dim is -1; it must be a whole number from 2 to 65536"},
    Refused{"huge_head_dim", R"({"head_dim": 18446744073709551616})", "config.json: head_dim is 1.8446744073709552e+19; it must be a whole number from 2 to 65536"},
    Refused{"zero_head_dim", R"({"head_dim": 0})", "config.json: head_dim is 0; it must be a whole number from 2 to 65536"},
    Refused{"odd_head_dim", R"({"head_dim": 127})", "config.json: head_dim is 127; it must be an even number from 2 to 65536"},
    Refused{"array_head_dim", R"({"head_dim": [128]})", "config.json: head_dim is [128]; it must be a whole number from 2 to 65536"},
    Refused{"no_head_dim", R"({"rope_theta": 4096})", "config.json: has neither head_dim nor hidden_size and num_attention_heads; add head_dim or give --dim if the model has RoPE"},
    Refused{"no_heads", R"({"model_type": "none", "hidden_size": 288, "encoder_num_attention_heads": 8})", "config.json: has neither head_dim nor num_attention_heads; add head_dim or give --dim if the model has RoPE"},
    Refused{"models_in_sections", R"({"model_type": "dia", "decoder_config": {"model_type": "dia_decoder"}, "encoder_config": {"model_type": "dia_encoder"}})", "config.json: has neither head_dim nor hidden_size and num_attention_heads; it holds models in decoder_config, encoder_config: give one of these sections as a separate config"},
    Refused{"no_hidden_size", R"({"num_attention_heads": 8})", "config.json: has neither head_dim nor hidden_size; add head_dim or give --dim if the model has RoPE"},
    Refused{"zero_heads", R"({"hidden_size": 4096, "num_attention_heads": 0})", "config.json: num_attention_heads is 0; it must be a whole number from 1 to 4294967296"},
    Refused{"odd_quotient", R"({"hidden_size": 99, "num_attention_heads": 3})", "config.json: hidden_size / num_attention_heads is 33; it must be an even number from 2 to 65536"},
    Refused{"odd_rotary_dim", R"({"head_dim": 64, "partial_rotary_factor": 0.3})", "config.json: partial_rotary_factor · head_dim is 19; it must be an even number from 2 to head_dim (64)"},
    Refused{"partial_above_one", R"({"head_dim": 64, "partial_rotary_factor": 1.5})", "config.json: partial_rotary_factor is 1.5; it must be greater than 0 and at most 1"},
    Refused{"partial_zero", R"({"head_dim": 64, "rotary_pct": 0})", "config.json: rotary_pct is 0; it must be greater than 0 and at most 1"},
    Refused{"rotary_dim_disagrees", R"({"head_dim": 128, "rotary_dim": 64, "partial_rotary_factor": 0.25})", "config.json: rotary_dim is 64 but config.json: partial_rotary_factor · head_dim is 32; keep one of them"},
    Refused{"text_theta", R"({"head_dim": 64, "rope_theta": "1e6"})", "config.json: rope_theta is \"1e6\"; it must be a number"},
    Refused{"theta_below_one", R"({"head_dim": 64, "rope_theta": 0.5})", "config.json: rope_theta is 0.5; it must be a number from 1 to 1e30"},
    Refused{"scaling_number", R"({"head_dim": 64, "rope_scaling": 3})", "config.json: rope_scaling is 3; it must be an object or null"},
    Refused{"type_number", R"({"head_dim": 64, "rope_scaling": {"type": 3}})", "config.json: rope_scaling.type is 3; it must be a string"},
    Refused{"type_null", R"({"head_dim": 64, "rope_scaling": {"rope_type": null, "factor": 4}})", "config.json: rope_scaling.rope_type is null; it must be a rope type such as linear; without the key it is default"},
    Refused{"older_type_null", R"({"head_dim": 64, "rope_scaling": {"type": null}})", "config.json: rope_scaling.type is null; it must be a rope type such as linear; without the key it is default"},
    Refused{"true_factor", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": true}})", "config.json: rope_scaling.factor is true; it must be a number"},
    Refused{"negative_factor", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": -2}})", "config.json: rope_scaling.factor is -2; it must be greater than 0 (1e-9 to 1e9)"},
    Refused{"no_factor", R"({"head_dim": 64, "rope_parameters": {"rope_type": "llama3"}})", "config.json: rope_parameters.factor is missing; rope_type llama3 needs it, a number greater than 0"},
    Refused{"low_above_high", R"({"head_dim": 64, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 1}})", "config.json: rope_scaling.low_freq_factor is 4; it must not exceed high_freq_factor (1)"},
    Refused{"array", "[1]", "config.json: is not a JSON object"},
    Refused{"duplicate", R"({"head_dim": 64, "rope_scaling": null, "rope_scaling": {}})", "config.json: key 'rope_scaling' is given twice"},
    Refused{"overflow", R"({"head_dim": 64, "rope_theta": 1e999})", "config.json: line 1, column 36: number overflow parsing '1e999'"},
    Refused{"max_position", R"({"head_dim": 64, "max_position_embeddings": 4294967297})", "config.json: max_position_embeddings is 4294967297; it must be a whole number from 1 to 4294967296"}),
    [](const auto& row) { return row.param.name; });
// clang-format on

TEST_F(Config, NamesTheKnownTypesForAnUnknownOne) {
    EXPECT_EQ(refusal(R"({"head_dim": 64, "rope_scaling": {"type": "yarm", "factor": 4}})")
                  .rfind("config.json: rope_scaling.type is 'yarm'; it must be one of default", 0),
              0u);
}

TEST_F(Config, FlagsOverrideTheFile) {
    const char* text =
        R"({"head_dim": 128, "partial_rotary_factor": 0.5, "rope_theta": 5e5,
            "rope_scaling": {"type": "linear", "factor": 4}})";
    const ResolvedSpec resolved =
        resolve(text, {{"--dim", "64"}, {"--base", "1e6"}, {"--rope factor", "2"}});
    EXPECT_EQ(resolved.spec, spec(64, 32, half, 2048, 1e6, linear(2)))
        << "the file's fraction applies to the typed head_dim";
    EXPECT_EQ(origin_of(resolved, "rope_theta"), "--base");
    EXPECT_EQ(origin_of(resolved, "rope_type"), "config.json: rope_scaling.type");
    const ResolvedSpec whole = resolve(text, {{"--rotary-dim", "128"}});
    EXPECT_EQ(whole.spec.rotary_dim, 128u);
    EXPECT_EQ(origin_of(whole, "rotary_dim"), "--rotary-dim");
}

TEST_F(Config, ATypedRopeTypeDropsTheKeysThatItDoesNotUse) {
    const char* text =
        R"({"head_dim": 128, "rope_scaling": {"rope_type": "llama3", "factor": 8,
            "low_freq_factor": 1, "high_freq_factor": 4}})";
    const ResolvedSpec resolved = resolve(text, {{"--rope rope_type", "linear"}});
    EXPECT_EQ(resolved.spec.scaling, linear(8));
    EXPECT_EQ(resolved.ignored, (std::vector<std::string>{"rope_scaling.high_freq_factor",
                                                          "rope_scaling.low_freq_factor"}));
}

TEST_F(Config, TellsWhichKeysNothingUsed) {
    const ResolvedSpec resolved = resolve(
        R"({"head_dim": 64, "rope_layer_count": 4, "hidden_act": "silu",
            "rope_scaling": {"factor": 8, "mscale": 1, "finetuned": true}})");
    EXPECT_EQ(resolved.spec.scaling, Scaling{}) << "without a type the factor is nothing";
    EXPECT_EQ(resolved.ignored,
              (std::vector<std::string>{"rope_scaling.factor", "rope_scaling.finetuned",
                                        "rope_scaling.mscale", "rope_layer_count"}));
}

TEST_F(Config, RopeScalingWinsOverRopeParameters) {
    const ResolvedSpec resolved = resolve(
        R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2},
            "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}})");
    EXPECT_EQ(resolved.spec.rope_theta, 1e4) << "as transformers, which replaces the section";
    EXPECT_EQ(resolved.ignored, (std::vector<std::string>{"rope_parameters.rope_theta",
                                                          "rope_parameters.rope_type"}));
}

TEST_F(Config, TheNestedModelWinsOverTheTopLevel) {
    const ResolvedSpec resolved =
        resolve(R"({"rope_theta": 5e5, "head_dim": 32, "text_config": {"head_dim": 64}})");
    EXPECT_EQ(resolved.spec, spec(64, 64, half, 2048, 1e4));
    EXPECT_EQ(resolved.ignored, std::vector<std::string>{"rope_theta"});
}

TEST_F(Config, AFolderNamesItsConfig) {
    resolve(R"({"head_dim": 64})");
    EXPECT_EQ(resolve_spec(".", {}).spec.head_dim, 64u);
    EXPECT_EQ(error_message<IoError>([] { resolve_spec("none.json", {}); }),
              "none.json: cannot open: there is no such file");
}

}  // namespace config_test
}  // namespace rope::io
