// Which layers of a model rotate, and by which rope section.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/config/config_file.hpp"

namespace rope::io {

// One section per layer type: every value of rope_parameters is an object, or one of an attention's
// type is, as beside the length in Laguna XS.2's (huggingface/transformers#48798).
bool is_per_layer(const nlohmann::json& section);

// Splits the sections of `rope` (null: the config has none) over the layers:
//   nested rope_parameters     one per layer type
//   rope_local_base_freq       Gemma 3: rope_scaling is for full_attention alone
//   layer_rope_theta           one per base; 0 is NoPE
//   rope_theta, partial_rotary_factors   lists of Step-3.5: one per type of layer
//   compress_ratios            DeepSeek-V4: the section is for compressed layers alone
//   layers of other kinds      NoPE, linear attention, … (layer_kinds.hpp): sections without RoPE
//   cohere2, exaone4, …        only sliding_attention rotates
//   olmo3, step3p5             the section is for full_attention alone, but for its base
// `path` leads to the section: "rope_scaling.".
std::vector<LayerSection> split_by_layers(ConfigFile& file, const std::string& file_name,
                                          const std::string& path, const nlohmann::json* rope);

}  // namespace rope::io
