// The built-in models of --model NAME: the rows of data/models.jsonl.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "io/config/config_file.hpp"

namespace rope::io {

struct Model {
    std::string name;    // "llama-3.1-8b"
    std::string source;  // who states what the config has
    std::shared_ptr<const nlohmann::json> config;
};

std::span<const Model> models();

// Throws InputError naming the known models when the name is unknown.
const Model& find_model(std::string_view name);

// As read_config; messages call it "--model NAME".
ConfigFile read_model(const Model& model);

// Rows as in data/classes.jsonl and data/architectures.jsonl, which replace those of the same name.
// Throws InputError naming `file`, the line and what is wrong. Call it before any config is read.
void add_rows(std::string_view rows, const std::string& file);

}  // namespace rope::io
