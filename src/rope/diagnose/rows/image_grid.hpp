// The ids of an image's tokens, and those that they would have in another order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/rows/position_source.hpp"

namespace rope {

// Ids that are each cell of a grid once, in any order. Of its two axes `across` is the one that
// changes from the first token to the second.
class ImageGrid {
  public:
    // None where they are not.
    static std::optional<ImageGrid> of(std::span<const double> first,
                                       std::span<const double> second);

    std::uint64_t size() const { return lengths_[0] * lengths_[1]; }
    // Of token t < size() on axis 0 or 1 as if the tokens were in another order; none where the
    // grid has no such order, or the source is none.
    std::optional<double> id(PositionSource order, std::uint64_t t, std::uint32_t axis) const;

  private:
    std::array<double, 2> lowest_;
    std::array<std::uint64_t, 2> lengths_;
    std::uint32_t across_;
};

}  // namespace rope
