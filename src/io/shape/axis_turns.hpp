// How unlike each other vectors turn along an axis: where it is the heads', those at one position
// turn alike.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

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

}  // namespace rope::io
