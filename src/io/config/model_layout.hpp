// Which lanes a model pairs, by the model_type of its Hugging Face config.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rope::io {

// Every other model_type there rotates half_split.
inline constexpr std::array<std::string_view, 11> interleaved_model_types{
    "chatglm", "codegen", "cohere", "cohere2",     "deepseek_v2", "ernie4_5",
    "glm",     "glm4",    "gptj",   "llama4_text", "roformer",
};

constexpr bool is_interleaved(std::string_view model_type) {
    return std::find(interleaved_model_types.begin(), interleaved_model_types.end(), model_type) !=
           interleaved_model_types.end();
}

}  // namespace rope::io
