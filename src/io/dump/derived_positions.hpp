// Positions that follow from arrays of a file that hold no ids, by the kind of array.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/dump/dump.hpp"

namespace rope::io {

// Whether an array holds whole numbers from `least` on.
bool are_whole(const Array& array, double least = -0x1p31);

// Positions `ids` that follow from another array.
StatedPositions derived(const NamedArray& from, const std::string& how, Shape shape,
                        std::vector<double> ids);

// The number, from 1 on, of the sequence of each key of a batch entry, [B, K], by a mask of scores,
// [B, 1, S, K], [B, S, K] or a lower triangle [S, S], which is additive if it has negative values.
// 0 where a key is padding. A row attends the keys of its sequence up to its own, or the last of
// them in a window. None if the mask has another shape.
std::optional<NamedArray> sequences_of_keys(const NamedArray& mask);

// Positions on several axes: by the ids of texts and images of Flux, [L, A], or the sizes of grids,
// [n, 3], in each order of their cells. Empty if the file has neither.
std::vector<StatedPositions> positions_on_axes(const DumpTensors& tensors, const DumpHints& asked);

}  // namespace rope::io
