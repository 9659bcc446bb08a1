// Configs of every rope_type, old and new style, and their aliases.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "tests/io/config_fixture.hpp"
#include "tests/io/refused.hpp"

namespace rope::io {
namespace config_types_test {

struct Row {
    const char* name;
    const char* text;
    const char* flags;  // equivalent flags
    const char* field;  // an origin that must be right
    const char* from;

    friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
};

class TypedConfig : public ConfigTest, public testing::WithParamInterface<Row> {};

TEST_P(TypedConfig, IsResolved) {
    const ResolvedSpec resolved = resolve(GetParam().text);
    EXPECT_EQ(flags_of(resolved.spec), GetParam().flags);
    EXPECT_EQ(origin_of(resolved, GetParam().field), GetParam().from);
    EXPECT_TRUE(resolved.ignored.empty()) << resolved.ignored.front();
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Fragments, TypedConfig, testing::Values(
    Row{"dynamic", R"({"head_dim": 64, "rope_scaling": {"type": "dynamic", "factor": 2.5}})", "--dim 64 --rope rope_type=dynamic,factor=2.5", "factor", "config.json: rope_scaling.factor"},
    Row{"cohere2_rope_gptj", R"({"model_type": "cohere2", "head_dim": 128, "max_position_embeddings": 8192, "rope_theta": 50000, "position_embedding_type": "rope_gptj"})", "--dim 128 --layout interleaved --max-position 8192 --base 50000", "rope_theta", "config.json: rope_theta"},
    Row{"llama_reads_no_position_embedding_type", R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 4096, "position_embedding_type": "absolute"})", "--dim 64 --max-position 4096", "head_dim", "config.json: head_dim"},
    Row{"llama_reads_no_alibi", R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 4096, "alibi": true})", "--dim 64 --max-position 4096", "head_dim", "config.json: head_dim"},
    Row{"llama_reads_no_xpos", R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 4096, "use_xpos": true, "vision_cfg": {"rope": true}})", "--dim 64 --max-position 4096", "head_dim", "config.json: head_dim"},
    Row{"jina_v3_as_published", R"({"model_type": "xlm-roberta", "hidden_size": 1024, "num_attention_heads": 16, "max_position_embeddings": 8194, "position_embedding_type": "rotary", "rotary_emb_base": 10000.0})", "--dim 64 --max-position 8194", "rope_theta", "config.json: rotary_emb_base"},
    Row{"dynamic_alpha", R"({"head_dim": 64, "rope_scaling": {"type": "dynamic", "alpha": 1000}})", "--dim 64 --rope rope_type=ntk,factor=1000", "factor", "config.json: rope_scaling.alpha"},
    Row{"ntk", R"({"head_dim": 64, "rope_parameters": {"rope_type": "ntk", "factor": 4}})", "--dim 64 --rope rope_type=ntk,factor=4", "rope_type", "config.json: rope_parameters.rope_type"},
    Row{"chatglm_6b", R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "max_sequence_length": 2048, "position_encoding_2d": true})", "--dim 128 --rope axes=halves", "axes", "config.json: position_encoding_2d"},
    Row{"mrope", R"({"head_dim": 128, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})", "--dim 128 --rope axes=sectioned,mrope_section=16,24,24", "mrope_section", "config.json: rope_scaling.mrope_section"},
    Row{"mrope_interleaved", R"({"head_dim": 128, "rope_parameters": {"rope_type": "default", "rope_theta": 5e6, "mrope_section": [24, 20, 20], "mrope_interleaved": true}})", "--dim 128 --base 5000000 --rope axes=interleaved,mrope_section=24,20,20", "mrope_interleaved", "config.json: rope_parameters.mrope_interleaved"},
    Row{"yarn", R"({"head_dim": 128, "max_position_embeddings": 32768, "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}})", "--dim 128 --max-position 32768 --rope rope_type=yarn,factor=4,original_max_position_embeddings=32768", "rope_type", "config.json: rope_scaling.type"},
    Row{"yarn_new", R"({"head_dim": 64, "rope_parameters": {"rope_type": "yarn", "rope_theta": 150000, "factor": 32, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096}})", "--dim 64 --base 150000 --rope rope_type=yarn,factor=32,original_max_position_embeddings=4096,beta_fast=32,beta_slow=1,truncate=false", "truncate", "config.json: rope_parameters.truncate"},
    Row{"yarn_null_factor", R"({"head_dim": 64, "max_position_embeddings": 16384, "rope_scaling": {"rope_type": "yarn", "factor": null, "original_max_position_embeddings": 4096}})", "--dim 64 --max-position 16384 --rope rope_type=yarn,factor=4,original_max_position_embeddings=4096", "factor", "config.json: max_position_embeddings / original_max_position_embeddings"},
    Row{"yarn_no_original", R"({"head_dim": 64, "max_position_embeddings": 16384, "rope_scaling": {"rope_type": "yarn", "factor": 4}})", "--dim 64 --max-position 16384 --rope rope_type=yarn,factor=4,original_max_position_embeddings=16384", "original_max_position_embeddings", "config.json: max_position_embeddings"},
    Row{"yarn_original_on_top", R"({"head_dim": 64, "original_max_position_embeddings": 1024, "rope_scaling": {"rope_type": "yarn", "factor": 4}})", "--dim 64 --rope rope_type=yarn,factor=4,original_max_position_embeddings=1024", "original_max_position_embeddings", "config.json: original_max_position_embeddings"},
    Row{"yarn_attention_factor", R"({"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 8, "attention_factor": 1.5}})", "--dim 64 --rope rope_type=yarn,factor=8,original_max_position_embeddings=2048,attention_factor=1.5", "attention_factor", "config.json: rope_scaling.attention_factor"},
    Row{"null_type_with_an_older_one", R"({"head_dim": 64, "rope_scaling": {"rope_type": null, "type": "linear", "factor": 4}})", "--dim 64 --rope rope_type=linear,factor=4", "rope_type", "config.json: rope_scaling.type"},
    Row{"yarn_zero_betas", R"({"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 8, "beta_fast": 0, "beta_slow": null}})", "--dim 64 --rope rope_type=yarn,factor=8,original_max_position_embeddings=2048,beta_fast=0", "beta_fast", "config.json: rope_scaling.beta_fast"},
    Row{"deepseek", R"({"model_type": "deepseek_v3", "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "hidden_size": 7168, "num_attention_heads": 128, "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}})", "--dim 64 --layout interleaved_to_half_split --max-position 4096 --rope rope_type=yarn,factor=40,original_max_position_embeddings=4096,mscale=1,mscale_all_dim=1", "head_dim", "config.json: qk_rope_head_dim"},
    Row{"deepseek_yarn", R"({"head_dim": 64, "rope_scaling": {"type": "deepseek_yarn", "factor": 40, "original_max_position_embeddings": 4096}})", "--dim 64 --rope rope_type=yarn,factor=40,original_max_position_embeddings=4096", "rope_type", "config.json: rope_scaling.type"},
    Row{"telechat3_yarn", R"({"model_type": "telechat3", "head_dim": 64, "max_position_embeddings": 32768, "rope_scaling": {"rope_type": "telechat3-yarn", "type": "telechat3-yarn", "factor": 4, "original_max_position_embeddings": 8192}})", "--dim 64 --max-position 32768 --rope rope_type=yarn,factor=4,original_max_position_embeddings=8192,attention_factor=1.0970406052783923", "attention_factor", "config.json: rope_scaling.rope_type telechat3-yarn"},
    Row{"telechat3_yarn_with_a_factor_of_its_own", R"({"head_dim": 64, "rope_scaling": {"type": "telechat3-yarn", "factor": 4, "attention_factor": 1.5, "original_max_position_embeddings": 8192}})", "--dim 64 --rope rope_type=yarn,factor=4,original_max_position_embeddings=8192,attention_factor=1.5", "attention_factor", "config.json: rope_scaling.attention_factor"},
    Row{"chronos_2_as_published", R"({"architectures": ["Chronos2Model"], "chronos_pipeline_class": "Chronos2Pipeline", "d_kv": 64, "d_model": 768, "model_type": "t5", "num_heads": 12, "rope_theta": 10000.0})", "--dim 64", "rope_theta", "config.json: rope_theta"},
    Row{"nomic_dynamic", R"({"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_positions": 8192, "max_trained_positions": 2048, "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0, "rotary_scaling_factor": 2})", "--dim 64 --base 1000 --rope rope_type=dynamic,factor=2", "rope_type", "config.json: rotary_scaling_factor"},
    Row{"nomic_unscaled", R"({"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_positions": 8192, "max_trained_positions": 2048, "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0, "rotary_scaling_factor": null})", "--dim 64 --max-position 8192 --base 1000", "rope_type", "default"},
    Row{"no_scaling_as_false", R"({"head_dim": 64, "rope_theta": 500000, "rope_scaling": false})", "--dim 64 --base 500000", "rope_type", "default"},
    Row{"longrope", R"({"head_dim": 4, "max_position_embeddings": 8192, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "longrope", "short_factor": [1, 1.5], "long_factor": [2, 40.5]}})", "--dim 4 --max-position 8192 --rope rope_type=longrope,original_max_position_embeddings=1024,short_factor=1,1.5,long_factor=2,40.5", "long_factor", "config.json: rope_scaling.long_factor"},
    Row{"su", R"({"head_dim": 4, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "su", "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --rope rope_type=longrope,original_max_position_embeddings=1024,short_factor=1,1,long_factor=2,4", "rope_type", "config.json: rope_scaling.type"},
    Row{"phi3_yarn", R"({"model_type": "phi3", "head_dim": 4, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "yarn", "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --max-position 4096 --rope rope_type=longrope,original_max_position_embeddings=1024,short_factor=1,1,long_factor=2,4", "rope_type", "config.json: rope_scaling.type"},
    Row{"phi4_multimodal_yarn", R"({"model_type": "phi4_multimodal", "head_dim": 4, "rope_parameters": {"rope_type": "yarn", "factor": 32, "original_max_position_embeddings": 4096, "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --max-position 131072 --rope rope_type=longrope,factor=32,original_max_position_embeddings=4096,short_factor=1,1,long_factor=2,4", "factor", "config.json: rope_parameters.factor"},
    Row{"longrope_factor", R"({"head_dim": 4, "rope_parameters": {"rope_type": "longrope", "factor": 8, "attention_factor": 1.25, "original_max_position_embeddings": 1024, "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 4 --rope rope_type=longrope,factor=8,original_max_position_embeddings=1024,attention_factor=1.25,short_factor=1,1,long_factor=2,4", "factor", "config.json: rope_parameters.factor"},
    Row{"longrope_of_part", R"({"head_dim": 8, "partial_rotary_factor": 0.5, "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [2, 4]}})", "--dim 8 --rotary-dim 4 --rope rope_type=longrope,original_max_position_embeddings=2048,short_factor=1,1,long_factor=2,4", "rotary_dim", "config.json: partial_rotary_factor · head_dim"},
    Row{"llama3_new", R"({"head_dim": 64, "rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5, "factor": 32, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", "--dim 64 --base 500000 --rope rope_type=llama3,factor=32,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192", "low_freq_factor", "config.json: rope_parameters.low_freq_factor"},
    Row{"llama3_equal_bounds", R"({"head_dim": 64, "rope_scaling": {"rope_type": "llama3", "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1, "original_max_position_embeddings": 8192}})", "--dim 64 --rope rope_type=llama3,factor=16,low_freq_factor=1,high_freq_factor=1,original_max_position_embeddings=8192", "high_freq_factor", "config.json: rope_scaling.high_freq_factor"},
    Row{"proportional", R"({"head_dim": 512, "rope_parameters": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}})", "--dim 512 --base 1000000 --rope rope_type=proportional,partial_rotary_factor=0.25", "partial_rotary_factor", "config.json: rope_parameters.partial_rotary_factor"},
    Row{"proportional_fraction_on_top", R"({"head_dim": 128, "partial_rotary_factor": 0.5, "rope_parameters": {"rope_type": "proportional", "factor": 2}})", "--dim 128 --rope rope_type=proportional,factor=2,partial_rotary_factor=0.5", "rotary_dim", "config.json: head_dim"},
    Row{"proportional_of_all", R"({"head_dim": 128, "rope_parameters": {"rope_type": "proportional"}})", "--dim 128 --rope rope_type=proportional", "rope_type", "config.json: rope_parameters.rope_type"},
    Row{"condensed", R"({"head_dim": 128, "rope_condense_ratio": 8})", "--dim 128 --rope rope_type=linear,factor=8", "factor", "config.json: rope_condense_ratio"},
    Row{"condensed_by_one", R"({"head_dim": 128, "rope_condense_ratio": 1})", "--dim 128", "rope_type", "default"},
    Row{"minimax_rotary_dim", R"({"head_dim": 128, "rotary_dim": 64, "rope_theta": 1e7})", "--dim 128 --rotary-dim 64 --base 10000000", "rotary_dim", "config.json: rotary_dim"},
    Row{"gemma4_global", R"({"head_dim": 256, "global_head_dim": 512, "rope_parameters": {"full_attention": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}}})", "--dim 512 --base 1000000 --rope rope_type=proportional,partial_rotary_factor=0.25", "head_dim", "config.json: global_head_dim"},
    Row{"one_layer_type", R"({"head_dim": 64, "rope_theta": 5e5, "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 2}}})", "--dim 64 --base 500000 --rope rope_type=linear,factor=2", "factor", "config.json: rope_parameters.full_attention.factor"},
    Row{"zamba2", R"({"model_type": "zamba2", "hidden_size": 2048, "num_attention_heads": 32, "kv_channels": 64, "use_mem_rope": true})", "--dim 128 --max-position 4096", "head_dim", "2 · config.json: hidden_size / num_attention_heads"},
    Row{"zamba2_long", R"({"model_type": "zamba2", "hidden_size": 2048, "num_attention_heads": 32, "use_mem_rope": true, "use_long_context": true, "max_position_embeddings": 4096})", "--dim 128 --max-position 16384 --rope rope_type=ntk,factor=8", "rope_type", "config.json: use_long_context"},
    Row{"zamba2_not_long", R"({"model_type": "zamba2", "use_mem_rope": true, "use_long_context": false})", "--dim 160 --max-position 4096", "max_position_embeddings", "transformers' default for zamba2: max_position_embeddings"},
    Row{"dbrx", R"({"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768, "attn_config": {"rope_theta": 500000}})", "--dim 128 --max-position 32768 --base 500000", "max_position_embeddings", "config.json: max_seq_len"},
    Row{"lfm2", R"({"model_type": "lfm2", "theta": 500000.0})", "--dim 80 --max-position 128000 --base 1000000", "rope_theta", "transformers' default for lfm2: rope_theta"},
    Row{"openelm", R"({"model_type": "openelm", "head_dim": 64, "rope_freq_constant": 500000, "rope_max_length": 4096, "max_context_length": 1024})", "--dim 64 --max-position 1024 --base 500000", "rope_theta", "config.json: rope_freq_constant"},
    Row{"wan_of_64_dimensions", R"({"_class_name": "WanTransformer3DModel", "attention_head_dim": 64, "rope_max_seq_len": 512})", "--dim 64 --layout interleaved --max-position 512 --rope axes=blocks,mrope_section=12,10,10", "mrope_section", "config.json: attention_head_dim"},
    Row{"hunyuan_image", R"({"_class_name": "HunyuanImageTransformer2DModel"})", "--dim 128 --layout interleaved --base 256 --rope axes=blocks,mrope_section=32,32", "mrope_section", "diffusers' default for HunyuanImageTransformer2DModel: axes_dims"},
    Row{"mpt", R"({"model_type": "mpt", "d_model": 4096, "n_heads": 32, "max_seq_len": 8192, "attn_config": {"alibi": false, "rope": true, "rope_theta": 500000, "rope_impl": "hf", "rope_hf_config": {"type": "linear", "factor": 4.0}}})", "--dim 128 --max-position 8192 --base 500000 --rope rope_type=linear,factor=4", "rope_type", "config.json: attn_config.rope_hf_config.type"},
    Row{"mpt_no_scaling", R"({"model_type": "mpt", "attn_config": {"rope": true, "rope_impl": "hf", "rope_hf_config": {"type": "no_scaling"}}})", "--dim 128", "rope_type", "config.json: attn_config.rope_hf_config.type"},
    Row{"mpt_of_flash_attention", R"({"model_type": "mpt", "attn_config": {"rope": true, "rope_dail_config": {"type": "original"}, "rope_hf_config": {"type": "linear", "factor": 4}}})", "--dim 128", "rope_type", "default"},
    Row{"language_config", R"({"language_config": {"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2}}})", "--dim 64 --rope rope_type=yarn,factor=2,original_max_position_embeddings=2048", "factor", "config.json: language_config.rope_scaling.factor"}),
    [](const auto& row) { return row.param.name; });

class BadTypedConfig : public ConfigTest, public testing::WithParamInterface<Refused> {};

TEST_P(BadTypedConfig, IsRefused) { EXPECT_EQ(refusal(GetParam().input), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(Fragments, BadTypedConfig, testing::Values(
    Refused{"yarn_without_factor", R"({"head_dim": 64, "rope_scaling": {"type": "yarn"}})", "config.json: rope_scaling.factor is missing; rope_type yarn needs it, a number greater than 0"},
    Refused{"dynamic_without_factor", R"({"head_dim": 64, "rope_parameters": {"rope_type": "dynamic"}})", "config.json: rope_parameters.factor is missing; rope_type dynamic needs it, a number greater than 0"},
    Refused{"odd_lanes_of_wan", R"({"_class_name": "WanTransformer3DModel", "attention_head_dim": 7})", "config.json: attention_head_dim is 7; it must be an even number of dimensions"},
    Refused{"dynamic_of_one_pair", R"({"head_dim": 2, "rope_scaling": {"type": "dynamic", "factor": 2}})", "config.json: head_dim is 2; rope_type dynamic divides by rotary_dim − 2 and needs at least 4"},
    Refused{"text_truncate", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "truncate": "false"}})", "config.json: rope_scaling.truncate is \"false\"; it must be true or false"},
    Refused{"negative_beta", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "beta_fast": -1}})", "config.json: rope_scaling.beta_fast is -1; it must be greater than 0 (1e-9 to 1e9)"},
    Refused{"negative_mscale", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "mscale": -1}})", "config.json: rope_scaling.mscale is -1; it must be 0 or more"},
    Refused{"zero_attention_factor", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "attention_factor": 0}})", "config.json: rope_scaling.attention_factor is 0; it must be greater than 0 (1e-9 to 1e9)"},
    Refused{"fraction_original", R"({"head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 2, "original_max_position_embeddings": 4096.5}})", "config.json: rope_scaling.original_max_position_embeddings is 4096.5; it must be a whole number from 1 to 4294967296"},
    Refused{"short_list", R"({"head_dim": 8, "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1, 1, 1]}})", "config.json: rope_scaling.short_factor has 2 values; it must have rotary_dim/2, 4"},
    Refused{"long_list", R"({"head_dim": 4, "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1, 1, 1]}})", "config.json: rope_scaling.long_factor has 4 values; it must have rotary_dim/2, 2"},
    Refused{"no_list", R"({"head_dim": 4, "rope_scaling": {"type": "longrope", "short_factor": [1, 1]}})", "config.json: rope_scaling.long_factor has 0 values; it must have rotary_dim/2, 2"},
    Refused{"list_of_text", R"({"head_dim": 4, "rope_scaling": {"type": "longrope", "short_factor": ["1", "1"], "long_factor": [1, 1]}})", "config.json: rope_scaling.short_factor is [\"1\",\"1\"]; it must be a list of numbers"},
    Refused{"list_that_is_a_number", R"({"head_dim": 4, "rope_scaling": {"type": "su", "short_factor": 1, "long_factor": [1, 1]}})", "config.json: rope_scaling.short_factor is 1; it must be a list of numbers"},
    Refused{"zero_in_a_list", R"({"head_dim": 4, "rope_scaling": {"type": "su", "short_factor": [1, 0], "long_factor": [1, 1]}})", "config.json: rope_scaling.short_factor is 0; it must be greater than 0 (1e-9 to 1e9)"},
    Refused{"proportional_fraction", R"({"head_dim": 64, "rope_parameters": {"rope_type": "proportional", "partial_rotary_factor": 1.5}})", "config.json: rope_parameters.partial_rotary_factor is 1.5; it must be greater than 0 and at most 1"},
    Refused{"mrope_section", R"({"head_dim": 64, "rope_scaling": {"type": "mrope", "mrope_section": [16, -1]}})", "config.json: rope_scaling.mrope_section is [16,-1]; it must be a list of whole numbers"},
    Refused{"nested_factor", R"({"head_dim": 64, "rope_parameters": {"full_attention": {"rope_type": "linear"}, "sliding_attention": {}}})", "config.json: rope_parameters.full_attention.factor is missing; rope_type linear needs it, a number greater than 0"},
    Refused{"chronos_1", R"({"chronos_pipeline_class": "ChronosPipeline", "d_kv": 64, "d_model": 512, "model_type": "t5", "num_heads": 8})", "config.json: t5 uses a relative position bias: there is no RoPE to verify"},
    Refused{"nomic_without_rope", R"({"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "rotary_emb_fraction": 0.0})", "config.json: rotary_emb_fraction is 0: there is no RoPE to verify"},
    Refused{"zamba2_without_rope", R"({"model_type": "zamba2", "use_mem_rope": false, "use_long_context": true})", "config.json: use_mem_rope is false, not true: there is no RoPE to verify"},
    Refused{"olmo_hybrid_null", R"({"model_type": "olmo_hybrid", "rope_parameters": null})", "config.json: rope_parameters is null, by which olmo_hybrid does not rotate: there is no RoPE to verify"},
    Refused{"olmo_hybrid_theta", R"({"model_type": "olmo_hybrid", "rope_parameters": {"rope_theta": null, "rope_type": "default"}})", "config.json: rope_parameters.rope_theta is null, by which olmo_hybrid does not rotate: there is no RoPE to verify"},
    Refused{"olmo_hybrid_type", R"({"model_type": "olmo_hybrid", "rope_parameters": {"rope_type": null}})", "config.json: rope_parameters.rope_type is null, by which olmo_hybrid does not rotate: there is no RoPE to verify"},
    Refused{"moonshine_of_two_widths", R"({"model_type": "moonshine", "hidden_size": 288, "encoder_num_attention_heads": 8, "decoder_num_attention_heads": 4})", "config.json: decoder_num_attention_heads is 4 and encoder_num_attention_heads 8: heads of two widths; check each with --dim, without the config"},
    Refused{"rope_gptj_of_a_class_not_known", R"({"model_type": "some-lm", "head_dim": 64, "position_embedding_type": "rope_gptj"})", "config.json: position_embedding_type is rope_gptj, not rope: there is no RoPE to verify"},
    Refused{"alibi_of_a_class_not_known", R"({"model_type": "some-lm", "head_dim": 64, "alibi": true})", "config.json: alibi is true, not false: there is no RoPE to verify"},
    Refused{"falcon_alibi", R"({"model_type": "falcon", "hidden_size": 2048, "num_attention_heads": 32, "alibi": true})", "config.json: alibi is true, not false: there is no RoPE to verify"},
    Refused{"gte_absolute", R"({"model_type": "new", "head_dim": 64, "position_embedding_type": "absolute"})", "config.json: position_embedding_type is absolute, not rope: there is no RoPE to verify"},
    Refused{"xlm_roberta", R"({"model_type": "xlm-roberta", "hidden_size": 1024, "num_attention_heads": 16, "position_embedding_type": "absolute"})", "config.json: xlm-roberta uses learned absolute positions: there is no RoPE to verify"},
    Refused{"mpt", R"({"model_type": "mpt", "attn_config": {"rope": false}})", "config.json: mpt uses ALiBi: there is no RoPE to verify"},
    Refused{"mpt_of_learned_positions", R"({"model_type": "mpt", "attn_config": {"alibi": false}})", "config.json: attn_config.alibi is false, and rope is not true: there is no RoPE to verify"},
    Refused{"mpt_xpos", R"({"model_type": "mpt", "attn_config": {"rope": true, "rope_dail_config": {"type": "xpos"}}})", "config.json: attn_config.rope_dail_config.type is xpos: xPos multiplies q by ζ^(m/s) and k by ζ^(−m/s) in addition to the rotation; check its rotation with --dim HEAD_DIM, and vectors by compare q=Q q_rot=Q_ROT --after xpos=BASE"},
    Refused{"no_rope_layers", R"({"head_dim": 64, "no_rope_layers": [1, 2]})", "config.json: no_rope_layers has 2; each must be 1 (the layer rotates) or 0"},
    Refused{"every_layer_nope", R"({"head_dim": 64, "no_rope_layers": [0, 0]})", "config.json: no layer rotates"}),
    [](const auto& row) { return row.param.name; });
// clang-format on

}  // namespace config_types_test
}  // namespace rope::io
