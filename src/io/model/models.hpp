// The built-in models of --model NAME.
#pragma once

#include <span>
#include <string_view>

#include "io/config/config_file.hpp"

namespace rope::io {

struct Model {
    std::string_view name;    // "llama-3.1-8b"
    std::string_view config;  // the observations, as a config.json has them
    std::string_view source;  // who states them
};

std::span<const Model> models();

// Throws InputError naming the known models when the name is unknown.
const Model& find_model(std::string_view name);

// As read_config; messages call it "--model NAME".
ConfigFile read_model(const Model& model);

}  // namespace rope::io
