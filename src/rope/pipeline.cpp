#include "rope/pipeline.hpp"

#include <array>
#include <string>

namespace rope {

std::span<const Pipeline> pipelines() {
    using enum Format;
    using enum AngleMethod;
    // clang-format off
    static constexpr std::array table{
        // name             angle       position  product   table     who
        Pipeline{"hf-fp32",        product,    float32,  float32,  float32,  "transformers, vLLM, flash-attn: float32 throughout", ""},
        Pipeline{"exact",          exact,      float64,  float64,  float32,  "the truth, rounded once to float32", ""},
        Pipeline{"ggml",           recurrence, float32,  float32,  float32,  "llama.cpp: θ ← θ·base^(-2/d) in float32, pair after pair", ""},
        Pipeline{"bf16-table",     product,    float32,  float32,  bfloat16, "transformers under bfloat16: cos and sin cast to bfloat16", ""},
        Pipeline{"fp16-table",     product,    float32,  float32,  float16,  "transformers under float16: cos and sin cast to float16", ""},
        Pipeline{"bf16-angles",    product,    float32,  bfloat16, bfloat16, "an outer product under bfloat16 autocast",
                 "position*inv_freq was rounded to 8 bits before cos; keep the angle in float32"},
        Pipeline{"bf16-positions", product,    bfloat16, float32,  float32,  "positions made in the activations' bfloat16",
                 "position was rounded to 8 bits, so positions beyond 256 collapse; keep position_ids integer or float32"},
    };
    // clang-format on
    return table;
}

const Pipeline& find_pipeline(std::string_view name) {
    std::string known;
    for (const Pipeline& pipeline : pipelines()) {
        if (pipeline.name == name) return pipeline;
        known += (known.empty() ? "" : ", ") + std::string(pipeline.name);
    }
    throw InputError("pipeline is '" + std::string(name) + "'; it must be one of " + known);
}

}  // namespace rope
