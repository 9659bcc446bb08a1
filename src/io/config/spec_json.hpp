// A Spec as JSON, with the keys of a config.
#pragma once

#include <nlohmann/json.hpp>

#include "rope/spec/spec.hpp"

namespace rope::io {

// {"head_dim": …, "rotary_dim": …, "layout": …, …, "rope_parameters": {"rope_type": …, …}}
nlohmann::ordered_json spec_json(const Spec& spec);

}  // namespace rope::io
