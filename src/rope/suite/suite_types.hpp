// The rope types of the suite, each with parameters of models that use it.
#pragma once

#include <span>
#include <string_view>

#include "rope/spec/spec.hpp"

namespace rope {

struct SuiteType {
    std::string_view id;      // "dynamic-long"
    void (*set)(Spec& spec);  // of a Spec's rope_type and what belongs to it
};
std::span<const SuiteType> suite_types();

}  // namespace rope
