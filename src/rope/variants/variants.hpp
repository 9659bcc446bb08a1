// Every rope_type; each is defined in the file of its name.
#pragma once

#include <span>
#include <string_view>

#include "rope/variants/frequency_plan.hpp"
#include "rope/variants/used_key.hpp"

namespace rope {

// One rope_type and the keys of the rope section that it uses, in the order in which they are
// checked. `validate` throws InputError for what no single key's range says, and is null where
// that is all; `plan` may assume that the Spec is right.
struct Variant {
    std::string_view name;
    std::span<const UsedKey> keys;
    void (*validate)(const Spec& spec);
    FrequencyPlan (*plan)(const Spec& spec, Precision precision);
};

extern const Variant default_variant;
extern const Variant linear_variant;
extern const Variant dynamic_variant;
extern const Variant ntk_variant;
extern const Variant ntk_mixed_variant;
extern const Variant yarn_variant;
extern const Variant yarn_paper_variant;
extern const Variant longrope_variant;
extern const Variant llama3_variant;
extern const Variant proportional_variant;
extern const Variant he_xu_variant;
extern const Variant resonance_variant;
extern const Variant qwen_ntk_variant;
extern const Variant given_variant;

}  // namespace rope
