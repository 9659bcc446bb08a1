#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/model/resolved_model.hpp"
#include "io/system/file_descriptor.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io::config_test {

using ::testing::HasSubstr;

using Config = ConfigTest;

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

// Configs of every rope_type, old and new style, and their aliases.

struct Row {
    const char* name;
    const char* text;
    const char* flags;  // equivalent flags
    const char* field;  // an origin that must be right
    const char* from;

    friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
};

class GoodConfig : public Config, public testing::WithParamInterface<Row> {};

TEST_P(GoodConfig, IsResolved) {
    const ResolvedSpec resolved = resolve(GetParam().text);
    EXPECT_EQ(flags_of(resolved.spec), GetParam().flags);
    EXPECT_EQ(origin_of(resolved, GetParam().field), GetParam().from);
    EXPECT_TRUE(resolved.ignored.empty()) << resolved.ignored.front();
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Fragments, GoodConfig, testing::Values(
    Row{"head_dim_alone", R"({"head_dim": 64})", "--dim 64", "head_dim", "config.json: head_dim"},
    Row{"hidden_over_heads", R"({"hidden_size": 4096, "num_attention_heads": 32})", "--dim 128", "rotary_dim", "config.json: hidden_size / num_attention_heads"},
    Row{"rounded_down", R"({"hidden_size": 4100, "num_attention_heads": 64})", "--dim 64", "head_dim", "config.json: hidden_size / num_attention_heads"},
    Row{"null_head_dim", R"({"head_dim": null, "hidden_size": 128, "num_attention_heads": 2})", "--dim 64", "head_dim", "config.json: hidden_size / num_attention_heads"},
    Row{"head_dim_wins", R"({"head_dim": 256, "hidden_size": 128, "num_attention_heads": 2})", "--dim 256", "head_dim", "config.json: head_dim"},
    Row{"old_default", R"({"head_dim": 64, "rope_theta": 500000, "rope_scaling": null, "max_position_embeddings": 8192})", "--dim 64 --max-position 8192 --base 500000", "rope_theta", "config.json: rope_theta"},
    Row{"old_linear_type", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 4}})", "--dim 64 --rope rope_type=linear,factor=4", "rope_type", "config.json: rope_scaling.type"},
    Row{"empty_scaling", R"({"head_dim": 64, "rope_scaling": {}})", "--dim 64", "rope_type", "default"},
    Row{"new_style", R"({"head_dim": 64, "rope_parameters": {"rope_type": "linear", "factor": 8, "rope_theta": 1e6}})", "--dim 64 --base 1000000 --rope rope_type=linear,factor=8", "rope_theta", "config.json: rope_parameters.rope_theta"},
    Row{"new_style_theta_outside", R"({"head_dim": 64, "rope_theta": 5e5, "rope_parameters": {"rope_type": "default"}})", "--dim 64 --base 500000", "rope_theta", "config.json: rope_theta"},
    Row{"new_style_partial", R"({"head_dim": 128, "rope_parameters": {"partial_rotary_factor": 0.5}})", "--dim 128 --rotary-dim 64", "rotary_dim", "config.json: rope_parameters.partial_rotary_factor · head_dim"},
    Row{"llama3_without_original", R"({"head_dim": 64, "max_position_embeddings": 4096, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}})", "--dim 64 --max-position 4096 --rope rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=4096", "original_max_position_embeddings", "config.json: max_position_embeddings"},
    Row{"llama3_original_outside", R"({"head_dim": 64, "original_max_position_embeddings": 2048, "rope_parameters": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}})", "--dim 64 --rope rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=2048", "original_max_position_embeddings", "config.json: original_max_position_embeddings"},
    Row{"partial", R"({"head_dim": 96, "partial_rotary_factor": 0.4})", "--dim 96 --rotary-dim 38", "rotary_dim", "config.json: partial_rotary_factor · head_dim"},
    Row{"gpt_neox", R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 25000})", "--dim 96 --rotary-dim 24 --base 25000", "rope_theta", "config.json: rotary_emb_base"},
    Row{"chatglm", R"({"model_type": "chatglm", "kv_channels": 128, "rope_ratio": 500, "seq_length": 131072})", "--dim 128 --rotary-dim 64 --layout interleaved --max-position 131072 --base 5000000", "rope_theta", "config.json: rope_ratio"},
    Row{"text_config", R"({"model_type": "llava", "text_config": {"head_dim": 64, "rope_theta": 5e5}})", "--dim 64 --base 500000", "rope_theta", "config.json: text_config.rope_theta"},
    Row{"he_xu", R"({"head_dim": 64, "rope_parameters": {"rope_type": "he_xu"}})", "--dim 64 --rope rope_type=he_xu", "rope_type", "config.json: rope_parameters.rope_type"},
    Row{"rotary_dim_agrees", R"({"head_dim": 128, "rotary_dim": 64, "partial_rotary_factor": 0.5})", "--dim 128 --rotary-dim 64", "rotary_dim", "config.json: rotary_dim"},
    Row{"dynamic", R"({"head_dim": 64, "rope_scaling": {"type": "dynamic", "factor": 2.5}})", "--dim 64 --rope rope_type=dynamic,factor=2.5", "factor", "config.json: rope_scaling.factor"},
    Row{"jina_v3_as_published", R"({"model_type": "xlm-roberta", "hidden_size": 1024, "num_attention_heads": 16, "max_position_embeddings": 8194, "position_embedding_type": "rotary", "rotary_emb_base": 10000.0})", "--dim 64 --max-position 8194", "rope_theta", "config.json: rotary_emb_base"},
    Row{"dynamic_alpha", R"({"head_dim": 64, "rope_scaling": {"type": "dynamic", "alpha": 1000}})", "--dim 64 --rope rope_type=ntk,factor=1000", "factor", "config.json: rope_scaling.alpha"},
    Row{"ntk", R"({"head_dim": 64, "rope_parameters": {"rope_type": "ntk", "factor": 4}})", "--dim 64 --rope rope_type=ntk,factor=4", "rope_type", "config.json: rope_parameters.rope_type"},
    Row{"chatglm_6b", R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "max_sequence_length": 2048, "position_encoding_2d": true})", "--dim 128 --rope axes=halves", "axes", "config.json: position_encoding_2d"},
    Row{"mrope", R"({"head_dim": 128, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})", "--dim 128 --rope axes=sectioned,mrope_section=16,24,24", "mrope_section", "config.json: rope_scaling.mrope_section"},
    Row{"mrope_interleaved", R"({"head_dim": 128, "rope_parameters": {"rope_type": "default", "rope_theta": 5e6, "mrope_section": [24, 20, 20], "mrope_interleaved": true}})", "--dim 128 --base 5000000 --rope axes=interleaved,mrope_section=24,20,20", "mrope_interleaved", "config.json: rope_parameters.mrope_interleaved"},
    Row{"yarn_new", R"({"head_dim": 64, "rope_parameters": {"rope_type": "yarn", "rope_theta": 150000, "factor": 32, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096}})", "--dim 64 --base 150000 --rope rope_type=yarn,factor=32,original_max_position_embeddings=4096,beta_fast=32,beta_slow=1,truncate=false", "truncate", "config.json: rope_parameters.truncate"},
    Row{"yarn_null_factor", R"({"head_dim": 64, "max_position_embeddings": 16384, "rope_scaling": {"rope_type": "yarn", "factor": null, "original_max_position_embeddings": 4096}})", "--dim 64 --max-position 16384 --rope rope_type=yarn,factor=4,original_max_position_embeddings=4096", "factor", "config.json: max_position_embeddings / original_max_position_embeddings"},
    Row{"yarn_no_original", R"({"head_dim": 64, "max_position_embeddings": 16384, "rope_scaling": {"rope_type": "yarn", "factor": 4}})", "--dim 64 --max-position 16384 --rope rope_type=yarn,factor=4,original_max_position_embeddings=16384", "original_max_position_embeddings", "config.json: max_position_embeddings"},
    Row{"yarn_original_on_top", R"({"head_dim": 64, "original_max_position_embeddings": 1024, "rope_scaling": {"rope_type": "yarn", "factor": 4}})", "--dim 64 --rope rope_type=yarn,factor=4,original_max_position_embeddings=1024", "original_max_position_embeddings", "config.json: original_max_position_embeddings"},
    Row{"yarn_attention_factor", R"({"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 8, "attention_factor": 1.5}})", "--dim 64 --rope rope_type=yarn,factor=8,original_max_position_embeddings=2048,attention_factor=1.5", "attention_factor", "config.json: rope_scaling.attention_factor"},
    Row{"null_type_with_an_older_one", R"({"head_dim": 64, "rope_scaling": {"rope_type": null, "type": "linear", "factor": 4}})", "--dim 64 --rope rope_type=linear,factor=4", "rope_type", "config.json: rope_scaling.type"},
    Row{"yarn_zero_betas", R"({"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 8, "beta_fast": 0, "beta_slow": null}})", "--dim 64 --rope rope_type=yarn,factor=8,original_max_position_embeddings=2048,beta_fast=0", "beta_fast", "config.json: rope_scaling.beta_fast"},
    Row{"deepseek", R"({"model_type": "deepseek_v3", "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "hidden_size": 7168, "num_attention_heads": 128, "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}})", "--dim 64 --layout interleaved_to_half_split --max-position 4096 --rope rope_type=yarn,factor=40,original_max_position_embeddings=4096,mscale=1,mscale_all_dim=1", "head_dim", "config.json: qk_rope_head_dim"},
    Row{"telechat3_yarn_with_a_factor_of_its_own", R"({"head_dim": 64, "rope_scaling": {"type": "telechat3-yarn", "factor": 4, "attention_factor": 1.5, "original_max_position_embeddings": 8192}})", "--dim 64 --rope rope_type=yarn,factor=4,original_max_position_embeddings=8192,attention_factor=1.5", "attention_factor", "config.json: rope_scaling.attention_factor"},
    Row{"nomic_dynamic", R"({"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_positions": 8192, "max_trained_positions": 2048, "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0, "rotary_scaling_factor": 2})", "--dim 64 --base 1000 --rope rope_type=dynamic,factor=2", "rope_type", "config.json: rotary_scaling_factor"},
    Row{"longrope", R"({"head_dim": 4, "max_position_embeddings": 8192, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "longrope", "short_factor": [1, 1.5], "long_factor": [2, 40.5]}})", "--dim 4 --max-position 8192 --rope rope_type=longrope,original_max_position_embeddings=1024,short_factor=1,1.5,long_factor=2,40.5", "long_factor", "config.json: rope_scaling.long_factor"},
    Row{"su", R"({"head_dim": 4, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "su", "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --rope rope_type=longrope,original_max_position_embeddings=1024,short_factor=1,1,long_factor=2,4", "rope_type", "config.json: rope_scaling.type"},
    Row{"phi3_yarn", R"({"model_type": "phi3", "head_dim": 4, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "yarn", "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --max-position 4096 --rope rope_type=longrope,original_max_position_embeddings=1024,short_factor=1,1,long_factor=2,4", "rope_type", "config.json: rope_scaling.type"},
    Row{"phi4_multimodal_yarn", R"({"model_type": "phi4_multimodal", "head_dim": 4, "rope_parameters": {"rope_type": "yarn", "factor": 32, "original_max_position_embeddings": 4096, "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --max-position 131072 --rope rope_type=longrope,factor=32,original_max_position_embeddings=4096,short_factor=1,1,long_factor=2,4", "factor", "config.json: rope_parameters.factor"},
    Row{"longrope_of_part", R"({"head_dim": 8, "partial_rotary_factor": 0.5, "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 8 --rotary-dim 4 --rope rope_type=longrope,original_max_position_embeddings=2048,short_factor=1,1,long_factor=2,4", "rotary_dim", "config.json: partial_rotary_factor · head_dim"},
    Row{"llama3_new", R"({"head_dim": 64, "rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5, "factor": 32, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", "--dim 64 --base 500000 --rope rope_type=llama3,factor=32,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192", "low_freq_factor", "config.json: rope_parameters.low_freq_factor"},
    Row{"llama3_equal_bounds", R"({"head_dim": 64, "rope_scaling": {"rope_type": "llama3", "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1, "original_max_position_embeddings": 8192}})", "--dim 64 --rope rope_type=llama3,factor=16,low_freq_factor=1,high_freq_factor=1,original_max_position_embeddings=8192", "high_freq_factor", "config.json: rope_scaling.high_freq_factor"},
    Row{"proportional", R"({"head_dim": 512, "rope_parameters": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}})", "--dim 512 --base 1000000 --rope rope_type=proportional,partial_rotary_factor=0.25", "partial_rotary_factor", "config.json: rope_parameters.partial_rotary_factor"},
    Row{"proportional_fraction_on_top", R"({"head_dim": 128, "partial_rotary_factor": 0.5, "rope_parameters": {"rope_type": "proportional", "factor": 2}})", "--dim 128 --rope rope_type=proportional,factor=2,partial_rotary_factor=0.5", "rotary_dim", "config.json: head_dim"},
    Row{"proportional_of_all", R"({"head_dim": 128, "rope_parameters": {"rope_type": "proportional"}})", "--dim 128 --rope rope_type=proportional", "rope_type", "config.json: rope_parameters.rope_type"},
    Row{"condensed", R"({"head_dim": 128, "rope_condense_ratio": 8})", "--dim 128 --rope rope_type=linear,factor=8", "factor", "config.json: rope_condense_ratio"},
    Row{"condensed_by_one", R"({"head_dim": 128, "rope_condense_ratio": 1})", "--dim 128", "rope_type", "default"},
    Row{"gemma4_global", R"({"head_dim": 256, "global_head_dim": 512, "rope_parameters": {"full_attention": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}}})", "--dim 512 --base 1000000 --rope rope_type=proportional,partial_rotary_factor=0.25", "head_dim", "config.json: global_head_dim"},
    Row{"zamba2", R"({"model_type": "zamba2", "hidden_size": 2048, "num_attention_heads": 32, "kv_channels": 64, "use_mem_rope": true})", "--dim 128 --max-position 4096", "head_dim", "2 · config.json: hidden_size / num_attention_heads"},
    Row{"zamba2_long", R"({"model_type": "zamba2", "hidden_size": 2048, "num_attention_heads": 32, "use_mem_rope": true, "use_long_context": true, "max_position_embeddings": 4096})", "--dim 128 --max-position 16384 --rope rope_type=ntk,factor=8", "rope_type", "config.json: use_long_context"},
    Row{"zamba2_not_long", R"({"model_type": "zamba2", "use_mem_rope": true, "use_long_context": false})", "--dim 160 --max-position 4096", "max_position_embeddings", "transformers' default for zamba2: max_position_embeddings"},
    Row{"dbrx", R"({"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768, "attn_config": {"rope_theta": 500000}})", "--dim 128 --max-position 32768 --base 500000", "max_position_embeddings", "config.json: max_seq_len"},
    Row{"openelm", R"({"model_type": "openelm", "head_dim": 64, "rope_freq_constant": 500000, "rope_max_length": 4096, "max_context_length": 1024})", "--dim 64 --max-position 1024 --base 500000", "rope_theta", "config.json: rope_freq_constant"},
    Row{"wan_of_64_dimensions", R"({"_class_name": "WanTransformer3DModel", "attention_head_dim": 64, "rope_max_seq_len": 512})", "--dim 64 --layout interleaved --max-position 512 --rope axes=blocks,mrope_section=12,10,10", "mrope_section", "config.json: attention_head_dim"},
    Row{"hunyuan_image", R"({"_class_name": "HunyuanImageTransformer2DModel"})", "--dim 128 --layout interleaved --base 256 --rope axes=blocks,mrope_section=32,32", "mrope_section", "diffusers' default for HunyuanImageTransformer2DModel: axes_dims"},
    Row{"mpt", R"({"model_type": "mpt", "d_model": 4096, "n_heads": 32, "max_seq_len": 8192, "attn_config": {"alibi": false, "rope": true, "rope_theta": 500000, "rope_impl": "hf", "rope_hf_config": {"type": "linear", "factor": 4.0}}})", "--dim 128 --max-position 8192 --base 500000 --rope rope_type=linear,factor=4", "rope_type", "config.json: attn_config.rope_hf_config.type"},
    Row{"mpt_of_flash_attention", R"({"model_type": "mpt", "attn_config": {"rope": true, "rope_dail_config": {"type": "original"}, "rope_hf_config": {"type": "linear", "factor": 4}}})", "--dim 128", "rope_type", "default"},
    Row{"language_config", R"({"language_config": {"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2}}})", "--dim 64 --rope rope_type=yarn,factor=2,original_max_position_embeddings=2048", "factor", "config.json: language_config.rope_scaling.factor"}),
    [](const auto& row) { return row.param.name; });

class BadConfig : public Config, public testing::WithParamInterface<Refused> {};

TEST_P(BadConfig, IsRefusedWithFileKeyAndValue) { EXPECT_EQ(refusal(GetParam().input), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(Fragments, BadConfig, testing::Values(
    Refused{"true_head_dim", R"({"head_dim": true})", "config.json: head_dim is true; it must be a whole number from 2 to 65536"},
    Refused{"fractional_head_dim", R"({"head_dim": 128.7})", "config.json: head_dim is 128.7; it must be a whole number from 2 to 65536"},
    Refused{"negative_head_dim", R"({"head_dim": -1})", "config.json: head_dim is -1; it must be a whole number from 2 to 65536"},
    Refused{"huge_head_dim", R"({"head_dim": 18446744073709551616})", "config.json: head_dim is 1.8446744073709552e+19; it must be a whole number from 2 to 65536"},
    Refused{"odd_head_dim", R"({"head_dim": 127})", "config.json: head_dim is 127; it must be an even number from 2 to 65536"},
    Refused{"no_head_dim", R"({"rope_theta": 4096})", "config.json: has neither head_dim nor hidden_size and num_attention_heads; add head_dim or give --dim if the model has RoPE"},
    Refused{"no_heads", R"({"model_type": "none", "hidden_size": 288, "encoder_num_attention_heads": 8})", "config.json: has neither head_dim nor num_attention_heads; add head_dim or give --dim if the model has RoPE"},
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
    Refused{"true_factor", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": true}})", "config.json: rope_scaling.factor is true; it must be a number"},
    Refused{"no_factor", R"({"head_dim": 64, "rope_parameters": {"rope_type": "llama3"}})", "config.json: rope_parameters.factor is missing; rope_type llama3 needs it, a number greater than 0"},
    Refused{"low_above_high", R"({"head_dim": 64, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 1}})", "config.json: rope_scaling.low_freq_factor is 4; it must not exceed high_freq_factor (1)"},
    Refused{"array", "[1]", "config.json: is not a JSON object"},
    Refused{"duplicate", R"({"head_dim": 64, "rope_scaling": null, "rope_scaling": {}})", "config.json: key 'rope_scaling' is given twice"},
    Refused{"overflow", R"({"head_dim": 64, "rope_theta": 1e999})", "config.json: line 1, column 36: number overflow parsing '1e999'"},
    Refused{"max_position", R"({"head_dim": 64, "max_position_embeddings": 4294967297})", "config.json: max_position_embeddings is 4294967297; it must be a whole number from 1 to 4294967296"},
    Refused{"yarn_without_factor", R"({"head_dim": 64, "rope_scaling": {"type": "yarn"}})", "config.json: rope_scaling.factor is missing; rope_type yarn needs it, a number greater than 0"},
    Refused{"dynamic_without_factor", R"({"head_dim": 64, "rope_parameters": {"rope_type": "dynamic"}})", "config.json: rope_parameters.factor is missing; rope_type dynamic needs it, a number greater than 0"},
    Refused{"odd_lanes_of_wan", R"({"_class_name": "WanTransformer3DModel", "attention_head_dim": 7})", "config.json: attention_head_dim is 7; it must be an even number from 2 to 65536"},
    Refused{"dynamic_of_one_pair", R"({"head_dim": 2, "rope_scaling": {"type": "dynamic", "factor": 2}})", "config.json: head_dim is 2; rope_type dynamic divides by rotary_dim − 2 and needs at least 4"},
    Refused{"text_truncate", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "truncate": "false"}})", "config.json: rope_scaling.truncate is \"false\"; it must be true or false"},
    Refused{"negative_mscale", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "mscale": -1}})", "config.json: rope_scaling.mscale is -1; it must be 0 or more"},
    Refused{"zero_attention_factor", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "attention_factor": 0}})", "config.json: rope_scaling.attention_factor is 0; it must be greater than 0 (1e-9 to 1e9)"},
    Refused{"short_list", R"({"head_dim": 8, "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1, 1, 1]}})", "config.json: rope_scaling.short_factor has 2 values; it must have rotary_dim/2, 4"},
    Refused{"long_list", R"({"head_dim": 4, "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1, 1, 1]}})", "config.json: rope_scaling.long_factor has 4 values; it must have rotary_dim/2, 2"},
    Refused{"no_list", R"({"head_dim": 4, "rope_scaling": {"type": "longrope", "short_factor": [1, 1]}})", "config.json: rope_scaling.long_factor is missing; rope_type longrope needs one number per pair, 2"},
    Refused{"list_of_text", R"({"head_dim": 4, "rope_scaling": {"type": "longrope", "short_factor": ["1", "1"], "long_factor": [1, 1]}})", "config.json: rope_scaling.short_factor is [\"1\",\"1\"]; it must be a list of numbers"},
    Refused{"list_that_is_a_number", R"({"head_dim": 4, "rope_scaling": {"type": "su", "short_factor": 1, "long_factor": [1, 1]}})", "config.json: rope_scaling.short_factor is 1; it must be a list of numbers"},
    Refused{"zero_in_a_list", R"({"head_dim": 4, "rope_scaling": {"type": "su", "short_factor": [1, 0], "long_factor": [1, 1]}})", "config.json: rope_scaling.short_factor is 0; it must be greater than 0 (1e-9 to 1e9)"},
    Refused{"proportional_fraction", R"({"head_dim": 64, "rope_parameters": {"rope_type": "proportional", "partial_rotary_factor": 1.5}})", "config.json: rope_parameters.partial_rotary_factor is 1.5; it must be greater than 0 and at most 1"},
    Refused{"mrope_section", R"({"head_dim": 64, "rope_scaling": {"type": "mrope", "mrope_section": [16, -1]}})", "config.json: rope_scaling.mrope_section is [16,-1]; it must be a list of whole numbers"},
    Refused{"nested_factor", R"({"head_dim": 64, "rope_parameters": {"full_attention": {"rope_type": "linear"}, "sliding_attention": {}}})", "config.json: rope_parameters.full_attention.factor is missing; rope_type linear needs it, a number greater than 0"},
    Refused{"chronos_1", R"({"chronos_pipeline_class": "ChronosPipeline", "d_kv": 64, "d_model": 512, "model_type": "t5", "num_heads": 8})", "config.json: t5 uses a relative position bias: there is no RoPE to verify"},
    Refused{"nomic_without_rope", R"({"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "rotary_emb_fraction": 0.0})", "config.json: rotary_emb_fraction is 0: there is no RoPE to verify"},
    Refused{"olmo_hybrid_null", R"({"model_type": "olmo_hybrid", "rope_theta": null})", "config.json: rope_theta is null, by which olmo_hybrid does not rotate: there is no RoPE to verify"},
    Refused{"moonshine_of_two_widths", R"({"model_type": "moonshine", "hidden_size": 288, "encoder_num_attention_heads": 8, "decoder_num_attention_heads": 4})", "config.json: decoder_num_attention_heads is 4 and encoder_num_attention_heads 8: heads of two widths; check each with --dim, without the config"},
    Refused{"mpt_of_learned_positions", R"({"model_type": "mpt", "attn_config": {"alibi": false}})", "config.json: attn_config.alibi is false, and rope is not true: there is no RoPE to verify"},
    Refused{"no_rope_layers", R"({"head_dim": 64, "no_rope_layers": [1, 2]})", "config.json: no_rope_layers has 2; each must be 1 (the layer rotates) or 0"}),

    [](const auto& row) { return row.param.name; });
// clang-format on

// params.json of Meta's and Mistral's releases give the same rotation as their config.json, except
// for the layout.

class ParamsJson : public ConfigTest {
  protected:
    // Each next to the published config.json.
    void expect_as(std::string_view params, std::string_view config) const {
        Spec own = resolve(params).spec, converted = resolve(config).spec;
        EXPECT_EQ(own.layout, PairLayout::interleaved);
        own.layout = converted.layout = PairLayout::half_split;
        EXPECT_EQ(own, converted) << params;
    }
};

TEST_F(ParamsJson, OfLlamaIsItsConfig) {
    expect_as(R"({"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32})",
              R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                  "max_position_embeddings": 2048})");
    expect_as(R"({"dim": 2048, "n_layers": 16, "n_heads": 32, "n_kv_heads": 8,
                  "rope_theta": 500000.0, "use_scaled_rope": true, "rope_scaling_factor": 32})",
              R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0,
                  "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3",
                  "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                  "original_max_position_embeddings": 8192}})");
}

TEST_F(ParamsJson, OfMistralIsItsConfig) {
    expect_as(R"({"dim": 4096, "n_layers": 32, "head_dim": 128, "n_heads": 32, "n_kv_heads": 8,
                  "sliding_window": 4096, "max_seq_len": 32768})",
              R"({"model_type": "mistral", "head_dim": 128, "max_position_embeddings": 32768,
                  "rope_theta": 10000.0})");
    expect_as(R"({"dim": 4096, "n_layers": 34, "head_dim": 128, "n_heads": 32, "n_kv_heads": 8,
                  "rope_theta": 1000000.0, "yarn": {"original_max_position_embeddings": 16384,
                  "factor": 16, "apply_scale": false, "beta": 32, "alpha": 1}})",
              R"({"head_dim": 128, "max_position_embeddings": 262144, "rope_parameters": {
                  "rope_type": "yarn", "rope_theta": 1000000.0, "factor": 16.0, "beta_fast": 32.0,
                  "beta_slow": 1.0, "attention_factor": 1.0,
                  "original_max_position_embeddings": 16384}})");
}

TEST_F(ParamsJson, OfLlama4LeavesEveryFourthLayerUnrotated) {
    const ResolvedModel model = resolve_all(
        R"({"dim": 5120, "n_layers": 8, "n_heads": 40, "rope_theta": 500000.0,
            "nope_layer_interval": 4})");
    ASSERT_EQ(model.groups.size(), 2U);
    EXPECT_EQ(model.groups[1].layers, "NoPE: 3, 7");
}

// The rotation of an encoder next to the language model, by mistral-inference's
// precompute_freqs_cis_2d, VisionArgs of Llama 4 and vLLM's _remap_mistral_audio_args; Voxtral's
// first encoder has sinusoidal positions.
TEST_F(ParamsJson, NamesTheEncodersThatRotate) {
    const auto notes = [&](const std::string& key) {
        const auto model = resolve_all(R"({"dim": 512, "n_layers": 4, "n_heads": 8, )" + key + "}");
        std::string text;
        for (const Lint& one : model.lint) text += one.where + " " + one.message;
        return text;
    };
    const std::string vision = notes(R"("vision_encoder": {"hidden_size": 1024,
        "num_attention_heads": 16, "rope_theta": 20000.0})");
    EXPECT_THAT(vision, HasSubstr("vision_encoder rotates image patches"));
    EXPECT_THAT(vision,
                HasSubstr("--dim 64 --rope axes=even_odd --layout interleaved --base 20000"));
    EXPECT_THAT(
        notes(
            R"("multimodal": {"vision_encoder_args": {"hidden_size": 128, "num_attention_heads": 4}})"),
        HasSubstr("--dim 32 --rope axes=even_odd --layout interleaved --base 10000"));
    EXPECT_THAT(notes(R"("vision_args": {"dim": 1408, "n_heads": 16})"),
                HasSubstr("vision_args rotates image patches"));
    const std::string encoder =
        R"("multimodal": {"whisper_model_args": {"encoder_args": {"dim": 1280,
        "n_heads": 32)";
    EXPECT_THAT(notes(encoder + R"(, "pos_embed": "rope"}}})"),
                HasSubstr("encoder_args a separate model that rotates"));
    EXPECT_EQ(notes(encoder + "}}}"), "");
}

// Z-Image's transformer has both keys
TEST_F(ParamsJson, IsNoConfigOfDiffusers) {
    const Spec spec = resolve(R"({"_class_name": "ZImageTransformer2DModel", "dim": 3840,
        "n_heads": 30, "axes_dims": [32, 48, 48], "axes_lens": [1536, 512, 512],
        "rope_theta": 256.0})")
                          .spec;
    EXPECT_EQ(axis_count(spec.axes), 3U);
}

TEST_F(ParamsJson, IsRecognizedByItsKeys) {
    EXPECT_EQ(refusal(R"({"dim": 4096, "n_heads": "x"})"),
              "config.json: n_heads is \"x\"; it must be a whole number from 1 to 4294967296");
    EXPECT_EQ(refusal(R"({"dim": 4096, "n_heads": 32, "yarn": {"factor": "a"}})"),
              "config.json: yarn.factor is \"a\"; it must be a number");
}

}  // namespace rope::io::config_test
