#include "io/model/lint.hpp"

#include <gtest/gtest.h>

#include "io/model/models.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io::lint_test {

struct Row {
    const char* name;
    const char* text;
    const char* found;  // "severity id where"

    friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
};

class LintedConfig : public ConfigTest, public testing::WithParamInterface<Row> {
  protected:
    // Warnings only, for configs that need not be usable.
    std::vector<Lint> all_findings(const char* text) const {
        error_message<InputError>([&] { resolve_all(text); });  // writes the file
        return lint(draft_model("config.json", {}));
    }
    // Most configs here are fragments.
    std::vector<Lint> findings(const char* text) const {
        std::vector<Lint> all = all_findings(text);
        std::erase_if(all, [](const Lint& one) { return one.id == "model-type-missing"; });
        return all;
    }
};

// Keys that the class does not read may be of any kind.
TEST_F(LintedConfig, OfOddKindsIsNotRefused) {
    for (const char* keys :
         {R"("num_hidden_layers": "x")", R"("num_hidden_layers": 2, "hybrid_layer_pattern": ["a"])",
          R"("hidden_size": "x", "num_attention_heads": [3])", R"("mamba_enabled": "x")"}) {
        const std::string text =
            std::string(R"({"model_type": "llama", "head_dim": 128, "rope_theta": 1e4, )") + keys +
            "}";
        EXPECT_EQ(refusal(text), "[no error]") << keys;
    }
}

TEST_P(LintedConfig, IsFound) {
    std::string found;
    for (const Lint& lint : findings(GetParam().text)) {
        found += (found.empty() ? "" : "; ") + std::string(to_string(lint.severity)) + " " +
                 lint.id + " " + lint.where;
        EXPECT_NE(lint.message.find("; "), std::string::npos) << "says what would be right";
    }
    EXPECT_EQ(found, GetParam().found);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Fragments, LintedConfig, testing::Values(
    Row{"nothing", R"({"head_dim": 64, "rope_theta": 5e5})", ""},
    Row{"gptj", R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})", ""},
    Row{"unknown_class", R"({"model_type": "frobnicator", "head_dim": 64, "rope_theta": 1e4})", "warning unknown-model-type config.json: model_type"},
    Row{"base_missing", R"({"head_dim": 64})", "note rope-theta-missing config.json: rope_theta"},
    Row{"base_by_another_name", R"({"head_dim": 64, "global_rope_theta": 16e4})", ""},
    Row{"base_of_sliding_layers_alone", R"({"head_dim": 64, "swa_rope_theta": 1e4})", "note rope-theta-missing config.json: rope_theta"},
    Row{"pattern_that_repeats", R"({"model_type": "recurrent_gemma", "head_dim": 256, "num_hidden_layers": 6, "block_types": ["recurrent", "recurrent", "attention"]})", "warning whole-head-in-main config.json: model_type"},
    Row{"full_layers_of_afmoe", R"({"model_type": "afmoe", "head_dim": 64, "rope_theta": 1e4, "num_hidden_layers": 6, "global_attn_every_n_layers": 3})", ""},
    Row{"list_of_kinds", R"({"model_type": "granitemoehybrid", "head_dim": 64, "rope_theta": 1e4, "position_embedding_type": "rope", "num_hidden_layers": 3, "layers_block_type": ["mamba", "attention"]})", "warning layer-list-length config.json: layers_block_type; warning layer-list-stops config.json: layers_block_type"},
    Row{"llama3_base_missing", R"({"head_dim": 128, "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", "warning rope-theta-missing config.json: rope_theta"},
    Row{"base_twice", R"({"head_dim": 64, "rope_theta": 1e4, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}})", "warning rope-theta-twice config.json: rope_parameters.rope_theta"},
    Row{"base_twice_the_same", R"({"head_dim": 64, "rope_theta": 5e5, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}})", ""},
    Row{"type_twice", R"({"head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"type": "linear", "rope_type": "dynamic", "factor": 2}})", "warning type-twice config.json: rope_scaling.rope_type"},
    Row{"type_missing", R"({"head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"factor": 2}})", "warning factor-without-type config.json: rope_scaling.factor"},
    Row{"two_sections", R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2}, "rope_theta": 1e4, "rope_parameters": {"rope_type": "default"}})", "warning two-rope-sections config.json: rope_scaling"},
    Row{"fraction_twice", R"({"head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.5, "rope_parameters": {"partial_rotary_factor": 0.25}})", "warning partial-rotary-factor-twice config.json: rope_parameters.partial_rotary_factor"},
    Row{"fraction_twice_alike", R"({"model_type": "glm4", "head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.5, "rope_parameters": {"partial_rotary_factor": 0.5}})", ""},
    Row{"odd_dim", R"({"head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.3})", "warning odd-rotary-dim config.json: partial_rotary_factor"},
    Row{"factor_below_one", R"({"head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"type": "linear", "factor": 0.25}})", "warning factor-below-one config.json: rope_scaling.factor"},
    Row{"phi35_bnb", R"({"head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 131072, "original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope", "attention_factor": 32.0, "short_factor": [1, 1], "long_factor": [1, 1]}})", "warning attention-factor-is-factor config.json: rope_scaling.attention_factor"},
    Row{"yarn_attention_factor", R"({"head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 16384, "rope_scaling": {"type": "yarn", "factor": 4, "attention_factor": 4, "original_max_position_embeddings": 4096}})", "warning attention-factor-is-factor config.json: rope_scaling.attention_factor"},
    Row{"temperature", R"({"head_dim": 128, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "llama_4_scaling_beta": 0.1}})", "note attention-temperature config.json: rope_parameters.llama_4_scaling_beta"},
    Row{"temperature_1", R"({"head_dim": 128, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "llama_4_scaling_beta": 1}})", "note attention-temperature config.json: rope_parameters.llama_4_scaling_beta"},
    Row{"no_temperature", R"({"head_dim": 128, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "llama_4_scaling_beta": 0}})", "note attention-temperature config.json: rope_parameters.llama_4_scaling_beta"},
    Row{"no_log_n", R"({"model_type": "qwen", "kv_channels": 128, "rotary_emb_base": 10000, "seq_length": 8192, "max_position_embeddings": 8192, "use_logn_attn": false})", "note length-of-steps config.json: max_position_embeddings; note log-n-scaling config.json: use_logn_attn"},
    Row{"letters", R"({"model_type": "exaone4", "sliding_window_pattern": "LLLG", "rope_theta": 1e6})", "warning pattern-of-letters config.json: sliding_window_pattern"},
    Row{"padded", R"({"model_type": "moonshine", "hidden_size": 288, "encoder_num_attention_heads": 8, "pad_head_dim_to_multiple_of": 8, "rope_theta": 1e4})", "note padded-heads config.json: pad_head_dim_to_multiple_of"},
    Row{"ling_2_5", R"({"model_type": "bailing_hybrid", "head_dim": 128, "qk_rope_head_dim": 64, "layer_group_size": 5, "partial_rotary_factor": 0.5, "rope_theta": 6e6})", "note fraction-of-linear-layers config.json: partial_rotary_factor; note linear-layers-rotate config.json: layer_group_size; note unread-head-dim config.json: head_dim"},
    Row{"ling_3", R"({"model_type": "bailing_hybrid", "layer_group_size": 5, "short_conv_kernel_size": 4, "use_mla_nope": true, "partial_rotary_factor": 0.5})", "warning mla-nope config.json: use_mla_nope; note fraction-of-linear-layers config.json: partial_rotary_factor"},
    Row{"ling_without_groups", R"({"model_type": "bailing_hybrid", "short_conv_kernel_size": 4})", "warning layer-group-size-missing config.json: layer_group_size"},
    Row{"evo2", R"({"model_type": "evo2", "head_dim": 128, "use_interpolated_rotary_pos_emb": true, "rotary_emb_scaling_factor": 128})", "warning scaling-of-vortex config.json: rotary_emb_scaling_factor"},
    Row{"class_of_the_wrapper", R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3", "head_dim": 128}})", "note model-type-unread config.json: text_config.model_type"},
    Row{"type_of_a_paper", R"({"model_type": "llama", "head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"type": "he_xu"}})", "warning type-unread config.json: rope_scaling.type"},
    Row{"layer_count", R"({"model_type": "molmo2_text", "rope_scaling": {"type": "linear", "factor": 2}, "rope_scaling_layers": [3]})", "warning layer-count-missing config.json: num_hidden_layers"},
    Row{"few_types", R"({"model_type": "gpt_oss", "num_hidden_layers": 4, "layer_types": ["full_attention", "sliding_attention", "full_attention"]})", "warning layer-list-length config.json: layer_types"},
    Row{"many_flags", R"({"model_type": "smollm3", "num_hidden_layers": 3, "no_rope_layers": [1, 1, 1, 0]})", "note layer-list-length config.json: no_rope_layers"},
    Row{"uneven_heads", R"({"model_type": "llama", "hidden_size": 4100, "num_attention_heads": 32, "rope_theta": 1e4})", "warning uneven-heads config.json: hidden_size"},
    Row{"minimax_m2", R"({"model_type": "minimax_m2", "head_dim": 128, "rotary_dim": 64, "rope_theta": 5e6})", "warning rotary-dim-unread config.json: rotary_dim"},
    Row{"log_n", R"({"model_type": "qwen", "kv_channels": 128, "rotary_emb_base": 10000, "seq_length": 8192, "max_position_embeddings": 8192, "use_dynamic_ntk": true, "use_logn_attn": true})", "note length-of-steps config.json: max_position_embeddings; note log-n-scaling config.json: use_logn_attn"},
    Row{"betas_swapped", R"({"head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 16384, "rope_scaling": {"type": "yarn", "factor": 4, "beta_fast": 1, "beta_slow": 32, "original_max_position_embeddings": 4096}})", "warning betas-swapped config.json: rope_scaling.beta_fast"},
    Row{"zero_betas", R"({"head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 16384, "rope_scaling": {"type": "yarn", "factor": 4, "beta_fast": 0, "beta_slow": 0, "original_max_position_embeddings": 4096}})", "warning zero-beta config.json: rope_scaling.beta_fast; warning zero-beta config.json: rope_scaling.beta_slow"},
    Row{"yarn_ratio", R"({"head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 32768, "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}})", "note factor-is-not-the-ratio config.json: rope_scaling.factor"},
    Row{"yarn_ratio_of_no_length", R"({"head_dim": 128, "rope_theta": 1e6, "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}})", ""},
    Row{"longrope_ratio", R"({"head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 32768, "original_max_position_embeddings": 1024, "rope_scaling": {"type": "su", "factor": 8, "short_factor": [1, 1], "long_factor": [1, 1]}})", "warning factor-is-not-the-ratio config.json: rope_scaling.factor"},
    Row{"original_missing", R"({"head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}})", "warning original-length-missing config.json: rope_scaling.original_max_position_embeddings"},
    Row{"original_twice", R"({"head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 4096, "original_max_position_embeddings": 2048, "rope_scaling": {"type": "yarn", "factor": 2, "original_max_position_embeddings": 1024}})", "warning original-length-twice config.json: rope_scaling.original_max_position_embeddings"},
    Row{"list_length", R"({"head_dim": 8, "rope_theta": 1e4, "original_max_position_embeddings": 2048, "rope_scaling": {"type": "su", "short_factor": [1, 1], "long_factor": [1, 1, 1, 1]}})", "warning list-length config.json: rope_scaling.short_factor"},
    Row{"nested_truncate", R"({"head_dim": 64, "rope_parameters": {"full_attention": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 1, "truncate": false, "original_max_position_embeddings": 2048}}})", "warning nested-truncate config.json: rope_parameters.full_attention.truncate"},
    Row{"flat_truncate", R"({"head_dim": 64, "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 1, "truncate": false, "original_max_position_embeddings": 2048}})", ""},
    Row{"mscale_alone", R"({"head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 4096, "rope_scaling": {"type": "yarn", "factor": 2, "mscale": 1, "original_max_position_embeddings": 2048}})", "warning mscale-alone config.json: rope_scaling.mscale"},
    Row{"proportional_of_all", R"({"head_dim": 64, "rope_parameters": {"rope_type": "proportional", "rope_theta": 1e6}})", "warning proportional-of-all config.json: rope_parameters.rope_type"},
    Row{"no_blend", R"({"head_dim": 64, "rope_theta": 5e5, "rope_scaling": {"rope_type": "llama3", "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1, "original_max_position_embeddings": 8192}})", "note no-blended-band config.json: rope_scaling.low_freq_factor"},
    Row{"ntk", R"({"head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"type": "ntk", "factor": 2}})", "note ntk-is-two-things config.json: rope_scaling.type"},
    Row{"gptj_rotary", R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary": true, "rotary_dim": 64})", ""},
    Row{"gptj_no_rotary", R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary": false, "rotary_dim": 64})", "warning unread-key config.json: rotary"},
    Row{"bamba_rotary_emb", R"({"model_type": "bamba", "hidden_size": 4096, "num_attention_heads": 32, "attn_rotary_emb": 64})", ""},
    Row{"bamba_other_rotary_emb", R"({"model_type": "bamba", "hidden_size": 4096, "num_attention_heads": 32, "attn_layer_indices": [9], "attn_rotary_emb": 32})", "warning unread-key config.json: attn_rotary_emb"},
    Row{"minitron_percent", R"({"model_type": "nemotron", "head_dim": 128, "rope_theta": 1e4, "rope_percent": 0.5})", ""},
    Row{"minitron_other_percent", R"({"model_type": "nemotron", "head_dim": 128, "rope_theta": 1e4, "rope_percent": "0.5"})", "warning unread-key config.json: rope_percent"},
    Row{"glm_5", R"({"model_type": "glm_moe_dsa", "qk_rope_head_dim": 64, "rope_interleave": true, "rope_parameters": {"rope_theta": 1e6, "rope_type": "default"}})", ""},
    Row{"glm_5_otherwise", R"({"model_type": "glm_moe_dsa", "qk_rope_head_dim": 64, "rope_interleave": false, "rope_parameters": {"rope_theta": 1e6, "rope_type": "default"}})", "warning unread-key config.json: rope_interleave"},
    Row{"glm_5_indexer", R"({"model_type": "glm_moe_dsa", "qk_rope_head_dim": 64, "indexer_rope_interleave": true, "rope_parameters": {"rope_theta": 1e6, "rope_type": "default"}})", "note unread-key config.json: indexer_rope_interleave"},
    Row{"csm_depth_decoder", R"({"model_type": "csm", "depth_decoder_config": {"model_type": "csm_depth_decoder_model"}, "codec_config": {"hidden_size": 512}})", "note other-models config.json: depth_decoder_config"},
    Row{"omni_talker", R"({"model_type": "qwen2_5_omni", "thinker_config": {"text_config": {"model_type": "qwen2_5_omni_text", "rope_scaling": {"mrope_section": [16, 24, 24]}}, "audio_config": {"model_type": "whisper"}}, "talker_config": {"rope_theta": 1e6}, "token2wav_config": {"dit_config": {"model_type": "qwen2_5_omni_dit"}}})", "note other-models config.json: talker_config, token2wav_config.dit_config"},
    Row{"misspelled", R"({"head_dim": 64, "rope_theta": 1e4, "rope_scalling": {"type": "linear"}})", "warning unread-key config.json: rope_scalling"},
    Row{"per_layer_config", R"({"model_type": "llama", "head_dim": 64, "rope_theta": 1e4, "per_layer_config": {"1": {"head_dim": 32}}})", "warning per-layer-config config.json: per_layer_config"},
    Row{"tower", R"({"model_type": "qwen2_vl", "vision_config": {"model_type": "qwen2_vl"}, "text_config": {"head_dim": 128, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}})", "note vision-tower config.json: vision_config"},
    Row{"tower_without_rope", R"({"model_type": "paligemma", "vision_config": {"model_type": "siglip_vision_model"}, "text_config": {"model_type": "gemma"}})", ""},
    Row{"unknown_tower", R"({"model_type": "llama", "vision_config": {"model_type": "seer"}})", "note vision-tower config.json: vision_config"},
    Row{"other_length", R"({"model_type": "llama", "max_seq_len": 8192})", "warning unread-length config.json: max_seq_len"},
    Row{"two_lengths", R"({"model_type": "llama", "max_position_embeddings": 8192, "max_seq_len": 8192})", ""},
    Row{"length_that_is_read", R"({"model_type": "dbrx", "max_seq_len": 8192})", ""},
    Row{"other_base", R"({"model_type": "lfm2_moe", "layer_types": ["full_attention"], "theta": 5e5})", "warning unread-base config.json: theta"},
    Row{"base_of_transformers_4", R"({"model_type": "lfm2", "theta": 5e5})", "warning unread-key config.json: theta"},
    Row{"base_that_is_read", R"({"model_type": "openelm", "rope_freq_constant": 5e5})", ""},
    Row{"two_bases", R"({"model_type": "llama", "rope_parameters": {"rope_theta": 5e5}, "theta": 5e5})", ""},
    Row{"zamba2_long", R"({"model_type": "zamba2", "use_mem_rope": true, "use_long_context": true})", "warning long-context-base config.json: use_long_context"},
    Row{"gemma3", R"({"model_type": "gemma3_text", "rope_scaling": {"rope_type": "linear", "factor": 8}})", ""}),
    [](const auto& row) { return row.param.name; });
// clang-format on

using LintMessage = LintedConfig;

TEST_F(LintMessage, ReportsAMissingModelType) {
    const auto found = all_findings(R"({"head_dim": 64, "rope_theta": 1e4})");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].id, "model-type-missing");
    EXPECT_TRUE(gates(found));
    EXPECT_FALSE(gates({{"rope-theta-missing", Severity::note, "", ""}}));
}

TEST_F(LintMessage, DoesNotCallAKeyOfTheRopeTypeUnused) {
    const auto found = all_findings(
        R"({"model_type": "phi3", "head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 8192,
            "original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope",
            "short_mscale": 1.1, "beta_fast": 32, "short_factor": [1, 1], "long_factor": [1, 2]}})");
    const auto message_of = [&](const std::string& key) {
        for (const Lint& one : found)
            if (one.where.ends_with(key)) return one.message;
        return std::string();
    };
    EXPECT_EQ(message_of("short_mscale"),
              "transformers does not read it here; another library may");
    EXPECT_EQ(message_of("beta_fast"), "is not used by this rope_type; leave it out");
}

TEST_F(LintMessage, ComesWithTheErrorsFirst) {
    const auto found = findings(
        R"({"head_dim": 64, "rope_speling": 1, "rope_theta": 1e4,
            "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}})");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].id, "rope-theta-twice");
    EXPECT_EQ(found[1].id, "unread-key");
}

TEST_F(LintMessage, StatesTheAttentionFactorOfOtherReadings) {
    const auto found = findings(
        R"({"head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 131072,
            "original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope",
            "attention_factor": 32.0, "short_factor": [1, 1], "long_factor": [1, 1]}})");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].message,
              "is 32, equal to factor; it multiplies cos and sin and would be 1.1902380714 if "
              "omitted");
}

}  // namespace rope::io::lint_test
