// y = R(m)·x for whole tensors in their own storage: what a model's kernel does.
#pragma once

#include <cstddef>
#include <span>

#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// What apply_rotary turns by, in float32: positions × pairs values each, row-major. Pairs of a head
// of head_dim lanes; lanes from 2·pairs on are copied.
struct RotaryRows {
    PairLayout layout = PairLayout::half_split;
    std::size_t head_dim = 0;
    std::size_t pairs = 0;
    std::span<const float> cos;
    std::span<const float> sin;
};

// x and y are [heads, positions, head_dim] numbers of a format, row-major, little-endian: float32,
// bfloat16 or float16, aligned to their own size. y is x (in place) or apart from it. Per pair
//     y1 = x1·cos − x2·sin,   y2 = x2·cos + x1·sin
// in float32 with every product and sum rounded, and one rounding to the format at the end: the
// same bits on every processor and for any number of threads.
// Throws InputError when the format is not one of these, the layout moves lanes, a size does not
// fit the others, memory is not aligned, or x and y overlap in part.
void apply_rotary(const RotaryRows& rows, Format format, std::span<const std::byte> x,
                  std::span<std::byte> y, unsigned threads = 1);

}  // namespace rope
