// Specs with the names they have in a figure.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope::plots {

struct NamedSpec {
    std::string label;
    Spec spec;
};

// Each Spec followed by its form with rope_type he_xu: θ̄_t = π/(2n)·base^(−t/d),
// n = max_position_embeddings (He & Xu). A Spec of that type follows its form without scaling.
std::vector<NamedSpec> with_scaled(std::span<const NamedSpec> specs);

// The Spec as base θ, and as scaled θ.
std::vector<NamedSpec> base_and_scaled(const Spec& spec);

// One line per Spec for Figure::parameters.
std::vector<std::pair<std::string, std::string>> parameters(std::span<const NamedSpec> specs);

// What all of them have in common, for a subtitle: head_dim 128 · rope_theta 10,000 · …
std::string shared_parameters(std::span<const NamedSpec> specs);

}  // namespace rope::plots
