// One row per rope_type; each is defined in the file of its name.
#pragma once

#include "rope/frequency.hpp"

namespace rope {

void validate_default(const Spec& spec);
FrequencyPlan plan_default(const Spec& spec, Precision precision);

void validate_linear(const Spec& spec);
FrequencyPlan plan_linear(const Spec& spec, Precision precision);

void validate_llama3(const Spec& spec);
FrequencyPlan plan_llama3(const Spec& spec, Precision precision);

void validate_he_xu(const Spec& spec);
FrequencyPlan plan_he_xu(const Spec& spec, Precision precision);

inline constexpr Variant default_variant{"default", validate_default, plan_default};
inline constexpr Variant linear_variant{"linear", validate_linear, plan_linear};
inline constexpr Variant llama3_variant{"llama3", validate_llama3, plan_llama3};
inline constexpr Variant he_xu_variant{"he_xu", validate_he_xu, plan_he_xu};

// The value of a key that the rope_type needs. Throws InputError when it is absent or not above
// zero (or not finite).
double require_positive(const Spec& spec, const std::optional<double>& value, const char* key);

}  // namespace rope
