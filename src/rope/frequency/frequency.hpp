// Spec -> inv_freq: one formula per rope_type, exact or as a framework rounds it.
#pragma once

#include <span>
#include <string_view>

#include "rope/variants/frequency_plan.hpp"
#include "rope/variants/variants.hpp"

namespace rope {

// The explicit table of every rope_type.
std::span<const Variant> variants();
// Throws InputError naming the known types when rope_type is unknown.
const Variant& find_variant(std::string_view rope_type);

// Whether the rope_type uses this key; no key is used by a type that is not known.
bool uses(std::string_view rope_type, ScalingMember key);

// Throws InputError naming the first field that is out of range, its value and the range.
void validate(const Spec& spec);
// Whether that throws nothing.
bool is_sound(const Spec& spec);

// Requires validate(spec). At exact_precision this is the truth; at float32_precision it is a
// framework's vector arithmetic, every step correctly rounded.
FrequencyPlan plan_frequencies(const Spec& spec, Precision precision);

}  // namespace rope
