// The five articles' entries, each list defined in the file of its name.
#pragma once

#include <span>

#include "rope/ledger/derivation/entry.hpp"

namespace rope::ledger {

// 000: a blog's derivation with a torch module
std::span<const Entry> word_order();
std::span<const Entry> rotation_formula();
std::span<const Entry> torch_listing();

// 001: He & Xu, Easy Derivation of Rotary Position Embeddings
std::span<const Entry> index_ranges();
std::span<const Entry> orthogonal_maps();
std::span<const Entry> scaled_figures();
std::span<const Entry> c3_readings();
std::span<const Entry> c3_sums();
std::span<const Entry> scaled_range();
std::span<const Entry> scaled_cost();
std::span<const Entry> scaled_precision();

// 002: a walk through labml, ChatGLM-6B and GLM-4-9B
std::span<const Entry> labml_module();
std::span<const Entry> chatglm_cache();
std::span<const Entry> glm4_module();

// 003: two-dimensional RoPE
std::span<const Entry> two_dimensions();
std::span<const Entry> image_listing();

// 004: notes on pairings, ALiBi and sinusoidal encodings
std::span<const Entry> encodings();
std::span<const Entry> two_classes();

}  // namespace rope::ledger
