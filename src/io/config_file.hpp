// Where a config.json keeps what concerns rotary embeddings.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/config_section.hpp"

namespace rope::io {

struct ConfigFile {
    std::shared_ptr<const nlohmann::json> root;
    std::string name;       // the file as it was named
    std::string rope_path;  // "config.json: rope_scaling.", where a missing key belongs
    ConfigSection model;    // the text model's own keys: the top level, or text_config
    ConfigSection rope;     // rope_scaling or rope_parameters; empty without either
    std::vector<std::string> passed_over;  // rope keys in places that this file overrides

    // passed_over, the rope section's unread keys, and the model's that look like rotary ones
    std::vector<std::string> ignored() const;
};

// A config.json or the folder that holds one. Throws InputError or IoError.
ConfigFile open_config(const std::filesystem::path& path);

}  // namespace rope::io
