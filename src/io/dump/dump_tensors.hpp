// The tensors that a command line names, and those of a file by the names that people give them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/tensor/tensor_file.hpp"

namespace rope::io {

// The names that people give their tensors.

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
inline constexpr std::array<std::string_view, 11> cos_sin_names{
    "cos_sin", "cos_sin_cache", "cos_sin_cached", "freqs_cis_real_imag", "freqs_cis", "rope_cache",
    "sincos_rows", "sincos", "sin_cos", "embed_positions", "pe",  // pe: Flux
};
inline constexpr std::array<std::string_view, 4> angle_names{
    "angles", "freqs", "emb", "rotary_pos_emb",  // freqs: [d/2] is inv_freq
};
inline constexpr std::array<std::string_view, 3> inv_freq_names{"inv_freq", "freqs", "_freqs"};
inline constexpr std::array<std::string_view, 4> divisor_names{
    "rope_freqs", "rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight",  // GGUF
};
inline constexpr std::array<std::string_view, 10> position_names{
    "position_ids", "positions", "pos", "cache_position", "position",
    "pos_ids", "input_pos", "token_positions", "segment_positions", "input_positions",
};
// What positions follow from.
inline constexpr std::array<std::string_view, 14> start_names{
    "start_pos", "offset", "index_pos", "seqlen_offsets", "position_offset",
    "cache_seqlens", "past_length", "past_key_values_length", "kv_offset", "pos_offset",
    "n_past", "past_len", "past_seen_tokens", "past_kv_length",
};
inline constexpr std::array<std::string_view, 2> mask_names{"attention_mask", "padding_mask"};
inline constexpr std::array<std::string_view, 6> sequence_end_names{
    "cu_seqlens", "cu_seqlens_q", "cu_seq_lens", "cu_seq_lens_q", "query_start_loc", "qo_indptr",
};
// The lengths of sequences with what is cached (vLLM).
inline constexpr std::array<std::string_view, 2> sequence_length_names{"seq_lens", "seq_lens_k"};
inline constexpr std::array<std::string_view, 5> segment_names{
    "segment_ids", "decoder_segment_ids", "document_ids", "doc_ids", "sequence_ids",
};
inline constexpr std::array<std::string_view, 7> grid_names{
    "grid_sizes", "grid_thw", "image_grid_thw", "video_grid_thw", "grid_hw", "grid_hws",
    "image_grid_hws",
};
inline constexpr std::array q_names{
    TwoNames{"q", "q_rot"},         TwoNames{"q", "q_embed"},
    TwoNames{"q", "q_rotated"},     TwoNames{"q", "q_out"},
    TwoNames{"query", "query_rot"}, TwoNames{"query", "query_embed"},
    TwoNames{"query", "query_out"}, TwoNames{"query_states", "query_states_rot"},
    TwoNames{"query_states", "q_embed"},
    TwoNames{"q", "q_roped"},       TwoNames{"x", "x_out"},
    TwoNames{"q_in", "q_out"},      TwoNames{"q_pre", "q_post"},
    TwoNames{"q_before", "q_after"}, TwoNames{"x", "y"},
    TwoNames{"x", "x_rot"},         TwoNames{"x", "out"},
    TwoNames{"input", "output"},    TwoNames{"before", "after"},
    TwoNames{"q_pe", "q_pe_rot"},   TwoNames{"q_pe", "q_pe_out"},
};
inline constexpr std::array k_names{
    TwoNames{"k", "k_rot"},         TwoNames{"k", "k_embed"},
    TwoNames{"k", "k_rotated"},     TwoNames{"k", "k_out"},
    TwoNames{"key", "key_rot"},     TwoNames{"key", "key_embed"},
    TwoNames{"key", "key_out"},     TwoNames{"key_states", "key_states_rot"}, TwoNames{"key_states", "k_embed"},
    TwoNames{"k", "k_roped"},       TwoNames{"k_before", "k_after"},
    TwoNames{"k_in", "k_out"},      TwoNames{"k_pre", "k_post"},
    TwoNames{"k_pe", "k_pe_rot"},   TwoNames{"k_pe", "k_pe_out"},
};
// clang-format on

// The tensors that a command line names, and those of a file by their usual names.

// Opens each file once, however often it is named.
class DumpTensors {
  public:
    // Opens DUMP. Throws InputError or IoError.
    explicit DumpTensors(DumpFiles files);

    const DumpFiles& files() const { return files_; }

    // What an option names: a member of DUMP, or FILE or FILE:MEMBER; nothing for "".
    std::optional<NamedArray> named(const std::string& value);
    // As named, where a file without a header is of no use.
    std::optional<NamedArray> named_positions(const std::string& value);

    // A member of DUMP of this name, or the only one that ends in a dot and it.
    std::optional<NamedArray> usual(std::string_view name) const;
    std::optional<NamedArray> first_of(std::span<const std::string_view> names) const;
    std::optional<std::pair<NamedArray, NamedArray>> first_of(
        std::span<const TwoNames> names) const;
    // Vectors before and after. Those before may be the other file's; where it has none either,
    // they are the reference's rotated vectors.
    std::optional<std::pair<NamedArray, NamedArray>> vectors(std::span<const TwoNames> names) const;

    // Two files of --against: vectors before, and positions, that only one of them has are of both.
    void compare_against(DumpTensors& reference) {
        other_ = &reference;
        reference_ = reference.reference_ = &reference;
        reference.other_ = this;
    }
    DumpTensors* other() const { return other_; }

    // Whether an array of DUMP has an axis of this length.
    bool has_axis_of(std::uint64_t length) const;

    // Throws InputError where DUMP has one tensor of a usual pair, and not the other.
    void require_whole_pairs() const;

    // The members of DUMP but for those that were loaded by these names ("x.npz:cos").
    std::vector<std::string> names_besides(const std::set<std::string>& loaded) const;

    // The only tensor of DUMP, of any name.
    std::optional<NamedArray> only() const;

    // "x.npz: holds no cos and sin, …; it has a, b"
    std::string say_what_is_missing() const;

  private:
    const TensorFile& open(const std::string& path);
    std::vector<std::string> ending_in(std::string_view name) const;
    std::string say_that_there_are_several() const;
    NamedArray load(const std::string& value);
    NamedArray load_raw(const std::string& path);

    DumpFiles files_;
    std::map<std::string, TensorFile> opened_;
    const TensorFile* dump_ = nullptr;
    DumpTensors* other_ = nullptr;
    const DumpTensors* reference_ = nullptr;
    std::optional<NamedArray> raw_dump_;
};

}  // namespace rope::io
