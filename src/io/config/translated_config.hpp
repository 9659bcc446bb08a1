// A file of another format as a config.json whose keys are called by the file's own.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "io/config/config_file.hpp"

namespace rope::io {

struct TranslatedConfig {
    nlohmann::json root = nlohmann::json::object();
    ConfigSection::Names names = {};  // by path in `root`

    // Under `to`, a path such as "rope_scaling.factor"; `name` is the file's own.
    void put(const std::string& to, nlohmann::json value, const std::string& name);
    // Throws InputError.
    ConfigFile read(const std::string& file) &&;
};

}  // namespace rope::io
