// Which layers of a model rotate, and by which rope section.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config/config_file.hpp"

namespace rope::io {

inline constexpr std::uint64_t most_layers = 65536;

// Returns num_hidden_layers; 0 where the file does not say. Throws InputError.
std::uint64_t layer_count(ConfigFile& file);

// The attention of each layer by layer_types or a pattern. Throws InputError.
class Attention {
  public:
    explicit Attention(ConfigFile& file);
    // Returns a kind such as "sliding_attention"; empty where it is not known.
    std::string of(std::uint64_t layer) const;
    std::uint64_t listed() const { return types_.size(); }

  private:
    std::vector<std::string> types_;
    std::string letters_;           // of EXAONE 4: L slides
    std::uint64_t full_every_ = 0;  // the others slide
    bool first_is_full_ = false;    // of MiMo-V2
    bool first_of_each_ = false;    // a period starts with its full layer: ModernBERT
};

// Gives the sections that are named after a kind of attention the numbers of their layers, and
// marks those of a kind that no layer has, as far as the file has the kinds. Marks no key as read.
// Throws InputError.
void number_by_attention(ConfigFile& file);

// Returns the kind of each layer that does not rotate, "linear_attention", "mamba", "conv", "NoPE";
// empty for a layer that does. No layers where no key distinguishes them, or all are of one kind.
// Throws InputError.
std::vector<std::string> unrotated_kinds(ConfigFile& file);

// Whether a section that is not empty has one section per layer type: every value is an object, or
// one for a type of attention is, as next to the length in Laguna XS.2's
// (huggingface/transformers#48798).
bool is_per_layer(const ConfigSection& section);

// Whether the file has swa_rope_parameters, and its class reads them.
bool has_sliding_section(const ConfigFile& file);

// Splits the sections of `rope`, which is empty where the config has none, over the layers:
//   nested rope_parameters     one per layer type
//   rope_local_base_freq       Gemma 3: rope_scaling is only for full_attention
//   layer_rope_theta           one per base; 0 is NoPE
//   rope_theta, partial_rotary_factors   lists of Step-3.5: one per type of layer
//   compress_ratios            DeepSeek-V4: the section is only for compressed layers
//   layers of other kinds      NoPE, linear attention, …: sections without RoPE
//   cohere2, exaone4, …        only sliding_attention rotates
//   olmo3, step3p5             the section is for full_attention, and its base for all
std::vector<LayerSection> split_by_layers(ConfigFile& file, const ConfigSection& rope);

}  // namespace rope::io
