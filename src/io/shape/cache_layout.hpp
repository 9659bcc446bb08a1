// How a file keeps the cosines and sines of L positions and h = rotary_dim/2 pairs.
#pragma once

#include <span>
#include <string_view>

namespace rope::io {

enum class CacheLayout {
    duplicated,  // cos and sin [L, 2h]: f0 f1 … f0 f1 …   Hugging Face's Llamas, litgpt, labml
    repeated,    // cos and sin [L, 2h]: f0 f0 f1 f1 …     Cohere, rotary-embedding-torch
    half,        // cos and sin [L, h]                     flash-attn, ONNX
    cos_sin,     // [L, 2h]: c0 c1 … s0 s1 …               vLLM, flashinfer
    sin_cos,     // [L, 2h]: s0 s1 … c0 c1 …               GPT-J, timm, RoFormer
    stacked,     // [L, h, 2]: (c0 s0) (c1 s1) …           ChatGLM2 and 3, torchtune
    complex,     // [L, h] complex: c + i·s                Meta's Llama, DeepSeek
    angles,      // [L, 1, 1, 2h] of m·θ, as duplicated    TransformerEngine, Megatron
    ggml,        // [L, 2h]: c0 s0 c1 s1 …                 llama.cpp's work buffer
    matrices,    // [L, h, 2, 2]: ((c0 −s0) (s0 c0)) …     Flux, ComfyUI
};

std::span<const CacheLayout> cache_layouts();

// "duplicated", "cos-sin", …
std::string_view to_string(CacheLayout layout);
// Throws InputError naming the layouts.
CacheLayout parse_cache_layout(std::string_view text);

}  // namespace rope::io
