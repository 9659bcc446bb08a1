// The built-in models, as text and as JSON of schema rope-check-models/1.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/model/models.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// One way in which a model's layers rotate.
struct ListedModel {
    const Model* model;
    std::string layers;
    Spec spec;
};

// Those of whose name, layers, layout or rope_type every word is a part. Throws InputError, naming
// the words, where there is none.
std::vector<ListedModel> listed_models(std::span<const std::string> words);

inline constexpr std::string_view models_schema = "rope-check-models/1";

// At most 80 columns; `verbose` adds the sources.
std::string models_text(std::span<const ListedModel> models, bool verbose);
std::string models_json(std::span<const ListedModel> models, std::string_view version);

}  // namespace rope::io
