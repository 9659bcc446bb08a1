// What a user states about a dump, such as its cache layout.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {

// How a file stores the cosines and sines of L positions and h = rotary_dim/2 pairs.
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

// What the user states about a dump; everything else is inferred from its shape and values.
struct DumpHints {
    DumpHints() = default;
    DumpHints(const Spec& wanted) : spec(wanted) {}

    std::optional<Spec> spec;  // has rotary_dim, head_dim and the axes
    // Without a Spec, the dimensions of a head. A last axis of a multiple holds fused heads.
    std::optional<std::uint32_t> head_dim;
    bool splits_heads = true;           // whether a last axis may hold fused heads
    std::optional<CacheLayout> layout;  // of a table
    std::uint64_t copy = 0;             // the copy to read, 0 or 1, where columns hold values twice
    // The axes of vectors, a letter each: s the sequence, d the dimensions, b the batch, h heads.
    std::string axes;
    // The numbers of heads that the config has for q, and for k, which may be repeated for q.
    std::vector<std::uint64_t> heads = {}, key_heads = {};
    std::string tower = {};          // ConfigFacts'
    bool are_keys = false;           // vectors are k, and the file may hold the whole cache
    bool has_no_batch = false;       // positions [A, L] are on A axes
    bool is_any_axis_right = false;  // the checked property holds along any axis
    // The rows of the table next to the vectors, which choose the sequence where nothing else does.
    std::optional<std::uint64_t> table_rows;
    // Whether rows follow the config. The first reading that does is right.
    std::function<bool(const Dump&)> follows = {};
};

}  // namespace rope::io
