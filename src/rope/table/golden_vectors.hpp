// What a correct implementation of a Spec should give, for other people's tests: every value is
// the number of its format that is nearest to the exact one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/golden_rows.hpp"

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

// Requires validate(spec). The table has no positions of its own.
GoldenVectors golden_vectors_at(const Spec& spec, const PositionsByAxis& positions, Format format,
                                std::optional<std::uint64_t> seed);

// At whole positions, which every axis takes, as a text token's do.
GoldenVectors golden_vectors(const Spec& spec, std::vector<std::uint64_t> positions, Format format,
                             std::optional<std::uint64_t> seed);

// From the first on of a seed's numbers. k is of ~seed.
std::vector<double> golden_normals(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                   Format format);

}  // namespace rope
