// The five articles' entries, each list defined in the file of its name.
#pragma once

#include <span>

#include "rope/claims/derivation.hpp"

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

// The papers' entries, each list defined in the file of its name.

std::span<const Entry> sinusoidal_encoding();     // 1706.03762
std::span<const Entry> roformer_bound();          // 2104.09864
std::span<const Entry> alibi_heads();             // 2108.12409
std::span<const Entry> xpos_decay();              // 2212.10554
std::span<const Entry> position_interpolation();  // 2306.15595
std::span<const Entry> ntk_aware();               // 2309.00071, §3.1
std::span<const Entry> yarn_ramps();              // 2309.00071
std::span<const Entry> extrapolation_laws();      // 2310.05209
std::span<const Entry> longrope_factor();         // 2402.13753
std::span<const Entry> resonance_periods();       // 2403.00071
std::span<const Entry> men_table();               // 2405.14591, Table 2
std::span<const Entry> base_bounds();             // 2405.14591, the rest
std::span<const Entry> round_and_round();         // 2410.06205
std::span<const Entry> aliasing();                // 2410.06205, §6
std::span<const Entry> bfloat16_relativity();     // 2411.13476

}  // namespace rope::ledger
