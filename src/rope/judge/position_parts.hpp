// The axis of positions of a map, in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rope {

// The axis |position| in equal parts, and the columns of cells that they show: a part that lies
// within one position shows it whole.
//   linear, log   parts are equal in |position|, or in its logarithm
//   listed        a few positions far apart: a column for each
enum class PositionScale { linear, log, listed };

struct PositionParts {
    PositionScale scale = PositionScale::linear;
    double first = 0, last = 1;               // of the axis
    std::vector<double> edges = {};           // column k is edges[k] ≤ |position| < edges[k + 1]
    std::vector<std::uint32_t> columns = {};  // of each part

    std::size_t column_of(double position) const;  // within the edges
};

// Every size of a position on any axis, where they are few and far apart, else the least and the
// greatest. Requires one.
std::vector<double> sizes_of(std::span<const std::span<const double>> axes);

// Of these sizes of positions, which ascend; of any between where there are two. On a logarithmic
// axis, which a long run of them from near 0 gets, position 0 goes with the first column.
PositionParts position_parts(std::span<const double> sizes, std::size_t parts);

}  // namespace rope
