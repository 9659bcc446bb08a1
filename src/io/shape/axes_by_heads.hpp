// Which axes of vectors are the sequence and the batch, by how many heads the config has.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/shape/vector_axes.hpp"

namespace rope::io {

std::uint64_t heads_of(const std::vector<std::uint64_t>& shape, const VectorAxes& axes);

// The one that leaves as many heads as the config has.
std::optional<VectorAxes> of_so_many_heads(const std::vector<std::uint64_t>& heads,
                                           const std::vector<std::uint64_t>& shape,
                                           const std::vector<VectorAxes>& found);

// One token's: the axis of length 1 that leaves as many heads as the config has, which all turn
// alike, where no longer one does.
std::optional<VectorAxes> decode_step(const Array& before, const Array& after,
                                      const std::vector<std::uint64_t>& heads,
                                      const std::vector<VectorAxes>& found);

// Heads that the vectors may have of a config's: a part of them, as a device or a test has.
bool is_part_of(std::uint64_t count, const std::vector<std::uint64_t>& heads);

}  // namespace rope::io
