// Specs that a dump may match: the built-in models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope::io {

struct KnownSpecs {
    std::vector<Spec> specs;
    std::vector<std::string_view> models;  // of each
};
KnownSpecs known_specs();

// "llama-3-8b, llama-3-70b"; empty where no built-in model rotates so.
std::string models_of(const Spec& spec, const KnownSpecs& known);

}  // namespace rope::io
