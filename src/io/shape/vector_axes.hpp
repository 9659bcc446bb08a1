// Which axes of an array of vectors are the sequence and the batch, and the positions of its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/shape/dump_hints.hpp"
#include "io/shape/position_ids.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {

struct VectorAxes {
    std::size_t sequence;
    std::optional<std::size_t> batch;  // needed only where every sequence has other positions
    std::string from = {};             // "--axes", or what the axes were inferred from
    // The lengths leave a choice, and the vectors made it or contradict the config's heads.
    bool leave_a_doubt = false;
};

// The index along an axis of the row with this number.
std::uint64_t index_on(const Shape& shape, std::size_t axis, std::uint64_t row);

// The batch; the first of four axes where nothing names it.
std::optional<std::size_t> batch_of(const Shape& shape, const VectorAxes& axes);

// The axes of vectors before and after a rotation, and the position of each row on one axis.
// `letters`, such as "bhsd", name the axes. Without them the axes are inferred from lengths and, if
// these leave a choice, from the config's number of heads, from the vectors, and at last from the
// rows of the table next to them. Ids may be those of one token for each batch entry, [B] or
// [B, 1], or those of the last rows where all other rows come before them. Throws InputError where
// nothing fits or a choice is left.
struct PlacedRows {
    VectorAxes axes;
    std::vector<double> positions;
};
PlacedRows placed_rows(const NamedArray& before, const NamedArray& after,
                       const std::string& letters, const StatedPositions& stated,
                       const DumpHints& asked);

}  // namespace rope::io
