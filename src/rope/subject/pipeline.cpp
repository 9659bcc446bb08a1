#include "rope/subject/pipeline.hpp"

#include <array>
#include <string>

#include "base/text.hpp"
#include "rope/subject/arithmetic.hpp"

namespace rope {

std::span<const Pipeline> pipelines() {
    using enum Format;
    using enum AngleMethod;
    // clang-format off
    static constexpr std::array table{
        //       name               angle       inv_freq  position  product   table     m/factor  who
        Pipeline{"hf-fp32",         product,    float32,  float32,  float32,  float32,  false, "transformers, flash-attn: float32 throughout", ""},
        Pipeline{"exact",           exact,      float64,  float64,  float64,  float32,  false, "the truth, rounded once to float32", ""},
        Pipeline{"ggml",            recurrence, float32,  float32,  float32,  float32,  false, "llama.cpp: θ ← θ·base^(-2/d) in float32, pair after pair", ""},
        Pipeline{"bf16-table",      product,    float32,  float32,  float32,  bfloat16, false, "transformers under bfloat16: cos and sin cast to bfloat16", ""},
        Pipeline{"fp16-table",      product,    float32,  float32,  float32,  float16,  false, "transformers under float16: cos and sin cast to float16", ""},
        Pipeline{"vllm-bf16-cache", product,    float32,  float32,  float32,  bfloat16, true,  "vLLM: a cache in the model's bfloat16; linear scaling divides positions", ""},
        Pipeline{"bf16-angles",     product,    float32,  float32,  bfloat16, bfloat16, false, "position·inv_freq, of float32 factors, rounded to bfloat16",
                 "position*inv_freq was rounded to 8 bits before cos; keep the angle in float32"},
        Pipeline{"bf16-positions",  product,    float32,  bfloat16, float32,  float32,  false, "positions made in the activations' bfloat16",
                 "position was rounded to 8 bits, so positions beyond 256 collapse; keep position_ids integer or float32"},
        Pipeline{"chatglm-fp16",    product,    float16,  float16,  float16,  float16,  false, "ChatGLM-6B: inv_freq, positions and their product in float16",
                 "inv_freq, position and their product were rounded to 11 bits before cos; build the table in float32 and cast it last"},
        Pipeline{"tf32",            product,    tf32,     tf32,     float32,  float32,  false, "a matrix product of positions and inv_freq in TF32",
                 "the outer product ran as a TF32 matrix product, which rounds both factors to 11 bits; multiply elementwise in float32"},
    };
    // clang-format on
    return table;
}

const Pipeline& find_pipeline(std::string_view name) {
    return one_of(pipelines(), &Pipeline::name, "pipeline", name);
}

Exactness expected_exactness(const Spec& spec, const Pipeline& pipeline,
                             const FrequencyPlan& plan) {
    Exactness exactness;
    switch (pipeline.method) {
        case AngleMethod::exact:
            exactness.angle_k.assign(plan.pairs.size(), 0);
            break;
        case AngleMethod::product:
            exactness.angle_k = angle_k(Arithmetic::pow, spec, plan);
            break;
        case AngleMethod::recurrence:
            exactness.angle_k = angle_k(Arithmetic::iterative, spec, plan);
            break;
    }
    const double a = plan.attention_factor;
    exactness.rounding = half_spacing(pipeline.table, a);
    if (pipeline.method == AngleMethod::exact) return exactness;
    // cos and sin to float32, the attention factor to float32, their product, and the table's cast
    if (a != 1)
        exactness.rounding +=
            a * half_spacing(Format::float32, 1) + half_spacing(Format::float32, a);
    if (pipeline.table != Format::float32) exactness.rounding += half_spacing(Format::float32, a);
    return exactness;
}

}  // namespace rope
