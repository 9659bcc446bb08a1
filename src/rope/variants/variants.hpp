// Every rope_type; each is defined in the file of its name.
#pragma once

#include <optional>

#include "rope/frequency.hpp"

namespace rope {

extern const Variant default_variant;
extern const Variant linear_variant;
extern const Variant dynamic_variant;
extern const Variant ntk_variant;
extern const Variant yarn_variant;
extern const Variant longrope_variant;
extern const Variant llama3_variant;
extern const Variant proportional_variant;
extern const Variant he_xu_variant;

// The value of a key that the rope_type needs, finite and greater than 0. Throws InputError when it
// is absent or anything else.
double require_positive(const Spec& spec, const std::optional<double>& value, const char* key);
// The same for a key that may be absent.
void check_positive(const std::optional<double>& value, const char* key);
// original_max_position_embeddings, which llama3, yarn and longrope need.
double require_original_length(const Spec& spec);

}  // namespace rope
