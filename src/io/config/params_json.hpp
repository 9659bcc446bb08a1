// The params.json of Meta's and Mistral's own code.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "io/config/config_file.hpp"

namespace rope::io {

// dim and n_heads, and neither a key that a config.json has for them nor a class of diffusers.
bool is_params_json(const nlohmann::json& root);

// As the config.json that transformers converts it to, but for the layout: both rotate neighbouring
// lanes, as complex numbers (meta-llama/llama-models reference_impl/model.py, apply_rotary_emb;
// mistral-inference rope.py). Throws InputError.
ConfigFile read_params_json(const nlohmann::json& root, const std::string& name);

}  // namespace rope::io
