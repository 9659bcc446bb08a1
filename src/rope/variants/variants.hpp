// Every rope_type; each is defined in the file of its name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rope/variants/frequency_plan.hpp"

namespace rope {

// One rope_type and the keys of the rope section that it uses. `validate` throws InputError for its
// own keys; `plan` may assume they are right.
struct Variant {
    std::string_view name;
    std::span<const std::string_view> keys;
    void (*validate)(const Spec& spec);
    FrequencyPlan (*plan)(const Spec& spec, Precision precision);
};

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
