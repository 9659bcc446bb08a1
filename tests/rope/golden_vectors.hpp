// Tables, and vectors before and after their rotation, as a correct implementation computes them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/rows/golden_vectors.hpp"

namespace rope {

struct GoldenVectors {
    RotaryTable table;
    std::vector<double> inv_freq;
    std::vector<double> q, k, q_rot, k_rot;  // positions × head_dim; empty without a seed
};

inline GoldenVectors golden_vectors_at(const Spec& spec, const PositionsByAxis& positions,
                                       Format format, std::optional<std::uint64_t> seed) {
    GoldenRows rows(spec, format);
    GoldenVectors golden{rows.table(positions), rows.inv_freq(), {}, {}, {}, {}};
    if (!seed) return golden;
    const std::size_t size = positions.front().size() * spec.head_dim;
    golden.q = golden_normals(*seed, 0, size, format);
    golden.k = golden_normals(~*seed, 0, size, format);
    golden.q_rot = rows.rotated(positions, golden.q);
    golden.k_rot = rows.rotated(positions, golden.k);
    return golden;
}

}  // namespace rope
