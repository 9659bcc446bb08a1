// The ids of an image's tokens, and those that they would have in another order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace rope {

// How the tokens of an image are numbered.
enum class GridOrder {
    rows,               // one row after the other
    columns,            // one column after the other
    blocks,             // in blocks of 2 × 2, row by row in each and of them, as patches are merged
    divided_by_height,  // token t is in row t div height, not width, at t mod height
};

// Ids that are each cell of a grid once, in any order. Of its two axes `across` is the one that
// changes from the first token to the second.
class ImageGrid {
  public:
    // None where they are not.
    static std::optional<ImageGrid> of(std::span<const double> first,
                                       std::span<const double> second);

    std::uint64_t size() const { return lengths_[0] * lengths_[1]; }
    // Of token t < size() on axis 0 or 1; none where the grid has no such order.
    std::optional<double> id(GridOrder order, std::uint64_t t, std::uint32_t axis) const;

  private:
    std::array<double, 2> lowest_;
    std::array<std::uint64_t, 2> lengths_;
    std::uint32_t across_;
};

}  // namespace rope
