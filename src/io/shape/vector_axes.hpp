// Which axes of an array of vectors are the sequence and the batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/shape/dump_hints.hpp"
#include "io/shape/position_ids.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {

// How unlike each other vectors turn along an axis: where it is the heads', those at one position
// turn alike.

// How many rows apart neighbours along an axis before the lanes lie.
std::uint64_t stride(const std::vector<std::uint64_t>& shape, std::size_t axis);

// The index along an axis of the row that has this number.
std::uint64_t index_on(const std::vector<std::uint64_t>& shape, std::size_t axis,
                       std::uint64_t row);

// Which rows count, and how many fifths of them.
struct Counted {
    unsigned fifths;
    bool moved_alone = false;
};

// How far the angle between a vector and another one along the axis does not stay: the better of
// two others, since one may be of a head that is wrong, and of so many of the vectors at most,
// since more heads may be. Nothing where no two of them count and are finite.
std::optional<double> turn_along(const Array& before, const Array& after, std::size_t axis,
                                 const Counted& counted);

// Which axes of an array of vectors are the sequence and the batch.

struct VectorAxes {
    std::size_t sequence;
    std::optional<std::size_t> batch;  // needed only where every sequence has its own positions
    std::string from = {};             // "--axes", or what they were inferred from
    // lengths left a choice: vectors alone made it, or contradict the config's heads
    bool leave_a_doubt = false;
};

// As the letters name them: "bhsd". Throws InputError when they do not fit.
VectorAxes named_axes(const NamedArray& vectors, std::string_view letters);

// The first of four axes where nothing names the batch.
std::optional<std::size_t> batch_of(const std::vector<std::uint64_t>& shape,
                                    const VectorAxes& axes);

// Inferred from lengths and, if these are ambiguous, from how many heads the config has, from the
// vectors, and at last from how many rows the table beside them has. Throws InputError when nothing
// fits or a choice is left.
VectorAxes guessed_axes(const NamedArray& before, const NamedArray& after,
                        const std::optional<NamedArray>& positions,
                        const std::optional<PositionIds>& ids, const DumpHints& asked = {});

// "q.npy: shape [2, 3] WHAT"
[[noreturn]] void refuse_shape(const NamedArray& vectors, const std::string& what);

// Whether the ids are those of a decode step, one token of each batch entry: of axes that are
// named, or [B, 1] or [B] beside [B, heads, 1, head_dim], or [B, 1] beside [B, 1, heads, head_dim].
// Ids that count up are those of one sequence.
bool is_decode_step(const std::vector<std::uint64_t>& shape, const NamedArray& positions,
                    const PositionIds& ids, const std::optional<VectorAxes>& named);

}  // namespace rope::io
