// Which layers of a model rotate, and by which rope section.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/config/config_file.hpp"

namespace rope::io {

// Which layers of a hybrid model rotate: those with softmax attention to the sequence itself.

inline constexpr std::uint64_t most_layers = 65536;

// num_hidden_layers; 0 where the file does not say. Throws InputError.
std::uint64_t layer_count(ConfigFile& file);

// How each layer attends, as layer_types or a pattern says. Throws InputError.
class Attention {
  public:
    explicit Attention(ConfigFile& file);
    std::string of(std::uint64_t layer) const;  // "sliding_attention"; empty where neither says
    std::uint64_t listed() const { return types_.size(); }

  private:
    std::vector<std::string> types_;
    std::string letters_;           // of EXAONE 4: L slides
    std::uint64_t full_every_ = 0;  // the others slide
    bool first_is_full_ = false;    // of MiMo-V2
    bool first_of_each_ = false;    // full_every_ counts from it, not to it: ModernBERT
};

// Gives the sections that are named after a kind of attention the numbers of their layers, and
// marks those of a kind that no layer has, as far as the file says how its layers attend. Marks no
// key as read. Throws InputError.
void number_by_attention(ConfigFile& file);

// The kind of each layer that does not rotate, "linear_attention", "mamba", "conv", "NoPE"; empty
// for one that does. No layers where no key distinguishes them, or all are of one kind.
// Throws InputError.
std::vector<std::string> unrotated_kinds(ConfigFile& file);

// One section per layer type: every value of rope_parameters is an object, or one of an attention's
// type is, as beside the length in Laguna XS.2's (huggingface/transformers#48798).
bool is_per_layer(const nlohmann::json& section);

// Whether the file has swa_rope_parameters, of a class that reads them.
bool has_sliding_section(const ConfigFile& file);

// Splits the sections of `rope` (null: the config has none) over the layers:
//   nested rope_parameters     one per layer type
//   rope_local_base_freq       Gemma 3: rope_scaling is for full_attention alone
//   layer_rope_theta           one per base; 0 is NoPE
//   rope_theta, partial_rotary_factors   lists of Step-3.5: one per type of layer
//   compress_ratios            DeepSeek-V4: the section is for compressed layers alone
//   layers of other kinds      NoPE, linear attention, …: sections without RoPE
//   cohere2, exaone4, …        only sliding_attention rotates
//   olmo3, step3p5             the section is for full_attention alone, but for its base
// `path` leads to the section: "rope_scaling.".
std::vector<LayerSection> split_by_layers(ConfigFile& file, const std::string& file_name,
                                          const std::string& path, const nlohmann::json* rope);

}  // namespace rope::io
