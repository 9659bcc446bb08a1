// A file of another format as a config.json whose keys are called by the file's names.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "io/config/config_file.hpp"

namespace rope::io {

struct TranslatedConfig {
    nlohmann::json root = nlohmann::json::object();
    ConfigSection::Names names = {};  // by path in `root`

    // Puts a value under `to`, a path such as "rope_scaling.factor"; the file calls it `name`.
    void put(const std::string& to, nlohmann::json value, const std::string& name);
    // Throws InputError.
    ConfigFile read(const std::string& file) &&;
};

// The params.json of Meta's and Mistral's own code.

// Whether the object has dim and n_heads, but no key that a config.json has for them and no class
// of diffusers.
bool is_params_json(const nlohmann::json& root);

// Reads it as the config.json that transformers converts it to, except for the layout: both rotate
// neighbouring dimensions, as complex numbers (meta-llama/llama-models reference_impl/model.py,
// apply_rotary_emb; mistral-inference rope.py). Throws InputError.
ConfigFile read_params_json(const nlohmann::json& root, const std::string& name);

}  // namespace rope::io
