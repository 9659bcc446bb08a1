// params.json of Meta's and Mistral's releases give the same rotation as their config.json, except
// for the layout.
#include <gtest/gtest.h>

#include "tests/io/resolved.hpp"

namespace rope::io {
namespace params_json_test {

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
    EXPECT_NE((vision).find("vision_encoder rotates image patches"), std::string::npos);
    EXPECT_NE((vision).find("--dim 64 --rope axes=even_odd --layout interleaved --base 20000"),
              std::string::npos);
    EXPECT_NE(
        (notes(
             R"("multimodal": {"vision_encoder_args": {"hidden_size": 128, "num_attention_heads": 4}})"))
            .find("--dim 32 --rope axes=even_odd --layout interleaved --base 10000"),
        std::string::npos);
    EXPECT_NE((notes(R"("vision_args": {"dim": 1408, "n_heads": 16})"))
                  .find("vision_args rotates image patches"),
              std::string::npos);
    const std::string encoder =
        R"("multimodal": {"whisper_model_args": {"encoder_args": {"dim": 1280,
        "n_heads": 32)";
    EXPECT_NE((notes(encoder + R"(, "pos_embed": "rope"}}})"))
                  .find("encoder_args a separate model that rotates"),
              std::string::npos);
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

}  // namespace params_json_test
}  // namespace rope::io
