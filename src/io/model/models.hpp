// Configs of any format with the command line's flags, and the built-in ones.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/config/config.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/draft/spec_flags.hpp"

namespace rope::io {

// The built-in models of --model NAME: the rows of data/models.jsonl.

struct Model {
    std::string name;    // "llama-3.1-8b"
    std::string source;  // where the config's values are from
    std::shared_ptr<const nlohmann::json> config;
};

std::span<const Model> models();

bool is_model(std::string_view name);

// Throws InputError naming the known models when the name is unknown.
const Model& find_model(std::string_view name);

// Reads the model's config, which messages call "--model NAME". Throws InputError.
ConfigFile read_model(const Model& model);

// Adds rows as in data/classes.jsonl and data/architectures.jsonl, or replaces those of the same
// name. Throws InputError naming `file`, the line and what is wrong. Call it before any config is
// read.
void add_rows(std::string_view rows, const std::string& file);

// A config and the command line's flags as one draft per set of layers, not validated yet.
struct DraftedModel {
    std::optional<ConfigFile> file;  // a built-in model's config counts as a file
    std::vector<SpecDraft> drafts;   // one at least; every silent rule is applied
    const Reading* reading;          // --reading's, not applied yet
};

// `config`, --model and --layers choose the drafts, the other flags override their fields; a flag
// goes to the drafts whose rope_type uses it, and one at least must. Throws InputError or IoError.
DraftedModel draft_model(const std::optional<std::filesystem::path>& config,
                         std::span<const Flag> flags);

}  // namespace rope::io
