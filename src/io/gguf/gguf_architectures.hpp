// Which lanes llama.cpp pairs, by a GGUF's general.architecture (llama_model_rope_type in
// llama-model.cpp): NORM is interleaved, NEOX half_split.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rope::io {

inline constexpr std::array<std::string_view, 28> norm_architectures{
    "llama",      "llama4",    "deci",    "baichuan", "starcoder",  "internlm2",     "minicpm",
    "xverse",     "command-r", "cohere2", "olmo",     "arctic",     "deepseek",      "deepseek2",
    "plm",        "chatglm",   "glm4",    "granite",  "granitemoe", "granitehybrid", "chameleon",
    "bailingmoe", "neo-bert",  "smollm3", "arcee",    "ernie4_5",   "ernie4_5-moe",  "mistral3",
};

// Those without a rotary embedding.
inline constexpr std::array<std::string_view, 10> architectures_without_rope{
    "gpt2", "bloom", "mpt", "mamba", "mamba2", "rwkv6", "rwkv7", "t5", "t5encoder", "jais",
};

constexpr bool is_norm_architecture(std::string_view architecture) {
    return std::find(norm_architectures.begin(), norm_architectures.end(), architecture) !=
           norm_architectures.end();
}

constexpr bool has_no_rope(std::string_view architecture) {
    return std::find(architectures_without_rope.begin(), architectures_without_rope.end(),
                     architecture) != architectures_without_rope.end();
}

}  // namespace rope::io
