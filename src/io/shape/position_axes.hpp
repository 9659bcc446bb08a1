// Positions on several axes: time, height and width, or x and y.
#pragma once

#include <cstdint>
#include <vector>

#include "io/shape/dump_hints.hpp"
#include "io/tensor/named_array.hpp"

namespace rope::io {

// One array an axis where positions are [A, L], [A, B, L], [L, A] or [B, L, A], else the array
// itself. A > 1 is the Spec's, or without one 2 to 4 if the rest fits `rows`, the shape of the rows
// at these positions, and [B, L] does not or there is no batch. Where the first axis and the last
// could be it, the first is. Of [4, B, L] beside a Spec of three axes the first are the text's own,
// which turn nothing.
std::vector<NamedArray> positions_by_axis(const NamedArray& positions, const DumpHints& asked,
                                          const std::vector<std::uint64_t>& rows);

}  // namespace rope::io
