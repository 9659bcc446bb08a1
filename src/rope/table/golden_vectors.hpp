// What a correct implementation of a Spec should give, for other people's tests: every value is
// the number of its format that is nearest to the exact one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

struct GoldenVectors {
    Format format = Format::float32;
    RotaryTable table;  // attention_factor·cos and attention_factor·sin
    double attention_factor = 1;
    std::vector<double> inv_freq;  // float64
    // positions × head_dim, row-major: standard normal, and what the Spec makes of them; empty
    // without a seed
    std::vector<double> q, k, q_rot, k_rot;
};

// Where the Spec has several axes, each takes the same position, as a text token's do. Requires
// validate(spec) and positions below max_context.
GoldenVectors golden_vectors(const Spec& spec, std::vector<std::uint64_t> positions, Format format,
                             std::optional<std::uint64_t> seed);

// m·θ, positions × pairs, not reduced, without the attention factor.
std::vector<double> golden_angles(const Spec& spec, const std::vector<std::uint64_t>& positions,
                                  Format format);

}  // namespace rope
