// What `list` prints: models, readings, mistakes, and names with what each stands for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/model/models.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// The built-in models, as text and as JSON of schema rope-check-models/1.

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

// A list of names and what each stands for, as text and as JSON.

struct Named {
    std::string name, meaning;
};

// A name a line, at most 80 columns.
std::string names_text(std::span<const Named> list);
// {"schema": "rope-check-list/1", "tool": …, "list": "pipelines", "names": [{"name", "meaning"},
// …]}
std::string names_json(std::string_view what, std::span<const Named> list,
                       std::string_view version);

// The readings that are known and their rules, as text, as Markdown (docs/readings.md) and as JSON
// of schema rope-check-readings/1.

inline constexpr std::string_view readings_schema = "rope-check-readings/1";

std::string reading_list_text();
std::string reading_list_markdown();
std::string reading_list_json(std::string_view version);

// The mistakes that a diagnosis can name, as text and as JSON of schema rope-check-mistakes/1.

inline constexpr std::string_view mistakes_schema = "rope-check-mistakes/1";

std::string mistakes_text();
std::string mistakes_json(std::string_view version);

}  // namespace rope::io
