#include "io/model/models.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.hpp"
#include "io/json/json_input.hpp"

namespace rope::io {
namespace {

constexpr std::string_view litgpt = "litgpt, litgpt/config.py";
constexpr std::string_view hf_config = "the model's config.json on Hugging Face";

// clang-format off
constexpr Model table[] = {
    {"chatglm-6b", R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "max_sequence_length": 2048, "position_encoding_2d": true})", "a port of the model"},
    {"codellama-7b", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 16384})", litgpt},
    {"deepseek-v2", R"({"model_type": "deepseek_v2", "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 163840,
        "rope_scaling": {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 0.707, "mscale_all_dim": 0.707, "original_max_position_embeddings": 4096}})", hf_config},
    {"deepseek-v3", R"({"model_type": "deepseek_v3", "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 163840,
        "rope_scaling": {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1, "mscale_all_dim": 1, "original_max_position_embeddings": 4096}})", hf_config},
    {"falcon3-7b", R"({"model_type": "llama", "head_dim": 256, "rope_theta": 1000042, "max_position_embeddings": 32768})", litgpt},
    {"gemma-2-9b", R"({"model_type": "gemma2", "head_dim": 256, "rope_theta": 1e4, "max_position_embeddings": 8192})", litgpt},
    {"gemma-3-4b", R"({"model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "linear", "factor": 8}})", litgpt},
    {"gemma-3-12b", R"({"model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "linear", "factor": 8}})", litgpt},
    {"gemma-3-27b", R"({"model_type": "gemma3_text", "head_dim": 128, "rope_theta": 1e6, "rope_local_base_freq": 1e4, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "linear", "factor": 8}})", litgpt},
    {"glm-4-9b", R"({"model_type": "chatglm", "kv_channels": 128, "rope_ratio": 500, "seq_length": 131072})", "the model's config.json as vLLM reads it"},
    {"glm-4-9b-0414", R"({"model_type": "glm4", "head_dim": 128, "partial_rotary_factor": 0.5, "rope_theta": 1e4, "max_position_embeddings": 32768})", hf_config},
    {"glm-4.1v-9b", R"({"model_type": "glm4v_text", "head_dim": 128, "partial_rotary_factor": 0.5, "rope_theta": 1e4, "max_position_embeddings": 65536,
        "rope_scaling": {"type": "default", "mrope_section": [8, 12, 12]}})", hf_config},
    {"gpt-oss-20b", R"({"model_type": "gpt_oss", "head_dim": 64, "rope_theta": 150000, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "yarn", "factor": 32, "beta_fast": 32, "beta_slow": 1, "truncate": false, "original_max_position_embeddings": 4096}})", "mlx-lm; vllm-project/vllm#28244"},
    {"gpt-oss-120b", R"({"model_type": "gpt_oss", "head_dim": 64, "rope_theta": 150000, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "yarn", "factor": 32, "beta_fast": 32, "beta_slow": 1, "truncate": false, "original_max_position_embeddings": 4096}})", "mlx-lm; vllm-project/vllm#28244"},
    {"internlm2.5-20b", R"({"model_type": "internlm2", "head_dim": 128, "rope_theta": 5e7, "max_position_embeddings": 32768, "rope_scaling": {"type": "dynamic", "factor": 2.5}})", hf_config},
    {"llama-2-7b", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 1e4, "max_position_embeddings": 4096})", litgpt},
    {"llama-3-8b", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "max_position_embeddings": 8192})", litgpt},
    {"llama-3.1-8b", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", litgpt},
    {"llama-3.2-1b", R"({"model_type": "llama", "head_dim": 64, "rope_theta": 5e5, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "llama3", "factor": 32, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", litgpt},
    {"llama-3.2-3b", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "llama3", "factor": 32, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", litgpt},
    {"llama-3.3-70b", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})", litgpt},
    {"mistral-7b-v0.3", R"({"model_type": "mistral", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 32768})", litgpt},
    {"mixtral-8x7b", R"({"model_type": "mixtral", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 32768})", litgpt},
    {"olmo-2-7b", R"({"model_type": "olmo2", "head_dim": 128, "rope_theta": 5e5, "max_position_embeddings": 4096})", litgpt},
    {"phi-2", R"({"model_type": "phi", "head_dim": 80, "partial_rotary_factor": 0.4, "rope_theta": 1e4, "max_position_embeddings": 2048})", litgpt},
    {"phi-3.5-mini", R"({"model_type": "phi3", "head_dim": 96, "rope_theta": 1e4, "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
        "rope_scaling": {"type": "longrope",
            "short_factor": [1, 1.0199999809265137, 1.0299999713897705, 1.0299999713897705, 1.0499999523162842, 1.0499999523162842, 1.0499999523162842, 1.0499999523162842,
                1.0499999523162842, 1.0699999332427979, 1.0999999046325684, 1.1099998950958252, 1.1599998474121094, 1.1599998474121094, 1.1699998378753662, 1.2899998426437378,
                1.339999794960022, 1.679999828338623, 1.7899998426437378, 1.8199998140335083, 1.8499997854232788, 1.8799997568130493, 1.9099997282028198, 1.9399996995925903,
                1.9899996519088745, 2.0199997425079346, 2.0199997425079346, 2.0199997425079346, 2.0199997425079346, 2.0199997425079346, 2.0199997425079346, 2.0299997329711914,
                2.0299997329711914, 2.0299997329711914, 2.0299997329711914, 2.0299997329711914, 2.0299997329711914, 2.0299997329711914, 2.0299997329711914, 2.0299997329711914,
                2.0799996852874756, 2.0899996757507324, 2.189999580383301, 2.2199995517730713, 2.5899994373321533, 2.729999542236328, 2.749999523162842, 2.8399994373321533],
            "long_factor": [1.0800000429153442, 1.1100000143051147, 1.1399999856948853, 1.340000033378601, 1.5899999141693115, 1.600000023841858, 1.6200000047683716, 2.620000123977661,
                3.2300000190734863, 3.2300000190734863, 4.789999961853027, 7.400000095367432, 7.700000286102295, 9.09000015258789, 12.199999809265137, 17.670000076293945,
                24.46000099182129, 28.57000160217285, 30.420001983642578, 30.840002059936523, 32.590003967285156, 32.93000411987305, 42.320003509521484, 44.96000289916992,
                50.340003967285156, 50.45000457763672, 57.55000305175781, 57.93000411987305, 58.21000289916992, 60.1400032043457, 62.61000442504883, 62.62000274658203,
                62.71000289916992, 63.1400032043457, 63.1400032043457, 63.77000427246094, 63.93000411987305, 63.96000289916992, 63.970001220703125, 64.02999877929688,
                64.06999969482422, 64.08000183105469, 64.12000274658203, 64.41000366210938, 64.4800033569336, 64.51000213623047, 64.52999877929688, 64.83999633789062]}})", hf_config},
    {"phi-4", R"({"model_type": "phi3", "head_dim": 128, "rope_theta": 250000, "max_position_embeddings": 16384})", litgpt},
    {"pythia-6.9b", R"({"model_type": "gpt_neox", "head_dim": 128, "rotary_pct": 0.25, "rotary_emb_base": 10000, "max_position_embeddings": 2048})", litgpt},
    {"qwen2-vl-7b", R"({"model_type": "qwen2_vl", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 32768,
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})", hf_config},
    {"qwen2.5-vl-7b", R"({"model_type": "qwen2_5_vl", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 128000,
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})", hf_config},
    {"qwen2.5-7b-instruct", R"({"model_type": "qwen2", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 32768})", hf_config},
    {"qwen3-8b", R"({"model_type": "qwen3", "head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 40960})", litgpt},
    {"qwen3-4b-2507", R"({"model_type": "qwen3", "head_dim": 128, "rope_theta": 5e6, "max_position_embeddings": 262144})", litgpt},
    {"qwen3-30b-2507", R"({"model_type": "qwen3_moe", "head_dim": 128, "rope_theta": 1e7, "max_position_embeddings": 262144})", litgpt},
    {"qwen3.5-27b", R"({"model_type": "qwen3_5_text", "head_dim": 256, "max_position_embeddings": 262144,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e7, "partial_rotary_factor": 0.25, "mrope_section": [11, 11, 10], "mrope_interleaved": true}})", "the keys of its GGUF"},
    {"qwen3-vl-8b", R"({"model_type": "qwen3_vl_text", "head_dim": 128, "rope_theta": 5e6, "max_position_embeddings": 262144,
        "rope_scaling": {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": true}})", hf_config},
    {"smollm2-1.7b", R"({"model_type": "llama", "head_dim": 64, "rope_theta": 130000, "max_position_embeddings": 8192})", litgpt},
    {"yarn-llama-2-70b-32k", R"({"model_type": "llama", "head_dim": 128, "rope_theta": 1e4, "max_position_embeddings": 8192,
        "rope_scaling": {"type": "yarn", "factor": 8, "original_max_position_embeddings": 4096}})", hf_config},
};
// clang-format on

}  // namespace

std::span<const Model> models() { return table; }

const Model& find_model(std::string_view name) {
    return one_of(table, &Model::name, "--model", name);
}

ConfigFile read_model(const Model& model) {
    const std::string name = "--model " + std::string(model.name);
    return read_config(std::make_shared<const nlohmann::json>(parse_json(model.config, name)),
                       name);
}

}  // namespace rope::io
