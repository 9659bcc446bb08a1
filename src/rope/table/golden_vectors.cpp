#include "rope/table/golden_vectors.hpp"

#include <utility>

#include "rope/exact/phase.hpp"
#include "rope/number/random.hpp"

namespace rope {

std::vector<double> golden_normals(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                   Format format) {
    Random random(seed);
    random.skip_normals(first);
    std::vector<double> x(count);
    for (double& value : x) value = round_to(format, random.normal());
    return x;
}

GoldenVectors golden_vectors_at(const Spec& spec, const PositionsByAxis& positions, Format format,
                                std::optional<std::uint64_t> seed) {
    GoldenRows rows(spec, format);
    GoldenVectors golden;
    golden.format = format;
    golden.attention_factor = rows.plan().attention_factor;
    golden.inv_freq = rows.inv_freq();
    golden.table = rows.table(positions);
    if (!seed) return golden;
    const std::size_t size = positions.front().size() * spec.head_dim;
    golden.q = golden_normals(*seed, 0, size, format);
    golden.k = golden_normals(~*seed, 0, size, format);
    golden.q_rot = rows.rotated(positions, golden.q);
    golden.k_rot = rows.rotated(positions, golden.k);
    return golden;
}

GoldenVectors golden_vectors(const Spec& spec, std::vector<std::uint64_t> positions, Format format,
                             std::optional<std::uint64_t> seed) {
    GoldenVectors golden =
        golden_vectors_at(spec, {{positions.begin(), positions.end()}}, format, seed);
    golden.table.positions = std::move(positions);
    return golden;
}

}  // namespace rope
