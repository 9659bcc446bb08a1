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

// A list for each axis of the Spec, or one for all of them; as many positions in each.
using PositionsByAxis = std::vector<std::vector<double>>;

// At any real positions between -2^32 and 2^32, each taken as the double that it is. Requires
// validate(spec). The table has no positions of its own.
GoldenVectors golden_vectors_at(const Spec& spec, const PositionsByAxis& positions, Format format,
                                std::optional<std::uint64_t> seed);

// R(m)x of given vectors, positions × head_dim, whose values are the format's.
std::vector<double> golden_rotation(const Spec& spec, const PositionsByAxis& positions,
                                    Format format, std::vector<double> x);

// At whole positions, which every axis takes, as a text token's do.
GoldenVectors golden_vectors(const Spec& spec, std::vector<std::uint64_t> positions, Format format,
                             std::optional<std::uint64_t> seed);

// m·θ, positions × pairs, not reduced, without the attention factor.
std::vector<double> golden_angles(const Spec& spec, const PositionsByAxis& positions,
                                  Format format);

}  // namespace rope
