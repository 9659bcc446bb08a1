// The names that people give their tensors.
#pragma once

#include <array>
#include <string_view>

namespace rope::io {

struct TwoNames {
    std::string_view first, second;
};

// clang-format off
inline constexpr std::array cos_and_sin_names{
    TwoNames{"cos", "sin"},
    TwoNames{"cos_cached", "sin_cached"},  // transformers before 4.38
    TwoNames{"cos_cache", "sin_cache"},    // ONNX
    TwoNames{"cos_table", "sin_table"},
    TwoNames{"freqs_cos", "freqs_sin"},    // llama2.c
    TwoNames{"cosines", "sines"},
};
inline constexpr std::array<std::string_view, 10> cos_sin_names{
    "cos_sin", "cos_sin_cache", "cos_sin_cached", "freqs_cis_real_imag", "freqs_cis", "rope_cache",
    "sincos_rows", "sincos", "sin_cos", "embed_positions",
};
inline constexpr std::array<std::string_view, 4> angle_names{
    "angles", "freqs", "emb", "rotary_pos_emb",  // freqs: [d/2] is inv_freq
};
inline constexpr std::array<std::string_view, 2> inv_freq_names{"inv_freq", "freqs"};
inline constexpr std::array<std::string_view, 3> divisor_names{
    "rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight",  // GGUF
};
inline constexpr std::array<std::string_view, 8> position_names{
    "position_ids", "positions", "pos", "cache_position",
    "position", "pos_ids", "input_pos", "token_positions",
};
inline constexpr std::array q_names{
    TwoNames{"q", "q_rot"},         TwoNames{"q", "q_embed"},
    TwoNames{"q", "q_rotated"},     TwoNames{"q", "q_out"},
    TwoNames{"query", "query_rot"}, TwoNames{"query", "query_embed"},
    TwoNames{"query", "query_out"}, TwoNames{"query_states", "query_states_rot"},
    TwoNames{"q", "q_roped"},       TwoNames{"x", "x_out"},
    TwoNames{"q_in", "q_out"},      TwoNames{"q_pre", "q_post"},
    TwoNames{"q_before", "q_after"}, TwoNames{"x", "y"},
    TwoNames{"x", "x_rot"},         TwoNames{"x", "out"},
    TwoNames{"input", "output"},    TwoNames{"before", "after"},
};
inline constexpr std::array k_names{
    TwoNames{"k", "k_rot"},         TwoNames{"k", "k_embed"},
    TwoNames{"k", "k_rotated"},     TwoNames{"k", "k_out"},
    TwoNames{"key", "key_rot"},     TwoNames{"key", "key_embed"},
    TwoNames{"key", "key_out"},     TwoNames{"key_states", "key_states_rot"},
    TwoNames{"k", "k_roped"},       TwoNames{"k_before", "k_after"},
    TwoNames{"k_in", "k_out"},      TwoNames{"k_pre", "k_post"},
};
// clang-format on

}  // namespace rope::io
