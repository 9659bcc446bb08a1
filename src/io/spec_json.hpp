// A Spec as JSON, with the keys of a model's config.
#pragma once

#include <nlohmann/json.hpp>

#include "rope/spec.hpp"

namespace rope::io {

nlohmann::ordered_json spec_json(const Spec& spec);

}  // namespace rope::io
