#include "rope/diagnose/rows/image_grid.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rope {
namespace {

struct Cell {
    std::uint64_t down, across;
};

// Of a grid of height × width.
std::optional<Cell> cell_of(PositionSource order, std::uint64_t t, std::uint64_t height,
                            std::uint64_t width) {
    switch (order) {
        case PositionSource::image_rows:
            return Cell{t / width, t % width};
        case PositionSource::image_columns:
            return Cell{t % height, t / height};
        case PositionSource::image_blocks: {
            if (height % 2 != 0 || width % 2 != 0) return std::nullopt;
            const std::uint64_t block = t / 4, in_block = t % 4;
            return Cell{2 * (block / (width / 2)) + in_block / 2,
                        2 * (block % (width / 2)) + in_block % 2};
        }
        case PositionSource::image_divided_by_height:
            return Cell{t / height, t % height};
        default:
            return std::nullopt;
    }
}

// From 0 on, in whole numbers; 0 where they are not, or more than `most` apart.
std::uint64_t length_of(std::span<const double> ids, double lowest, std::uint64_t most) {
    std::uint64_t length = 0;
    for (const double id : ids) {
        const double step = id - lowest;
        if (!(step < static_cast<double>(most)) || step != std::floor(step)) return 0;
        length = std::max(length, static_cast<std::uint64_t>(step) + 1);
    }
    return length;
}

}  // namespace

std::optional<ImageGrid> ImageGrid::of(std::span<const double> first,
                                       std::span<const double> second) {
    const std::uint64_t count = first.size();
    if (count < 4) return std::nullopt;
    ImageGrid grid;
    grid.lowest_ = {*std::ranges::min_element(first), *std::ranges::min_element(second)};
    grid.lengths_ = {length_of(first, grid.lowest_[0], count),
                     length_of(second, grid.lowest_[1], count)};
    if (std::ranges::min(grid.lengths_) < 2 || grid.size() != count) return std::nullopt;
    std::vector<bool> is_taken(count);
    for (std::uint64_t t = 0; t < count; ++t) {
        const auto down = static_cast<std::uint64_t>(first[t] - grid.lowest_[0]);
        const auto cell =
            down * grid.lengths_[1] + static_cast<std::uint64_t>(second[t] - grid.lowest_[1]);
        if (is_taken[cell]) return std::nullopt;
        is_taken[cell] = true;
    }
    grid.across_ = first[0] == first[1] ? 1 : 0;
    return grid;
}

std::optional<double> ImageGrid::id(PositionSource order, std::uint64_t t,
                                    std::uint32_t axis) const {
    const auto cell = cell_of(order, t, lengths_[1 - across_], lengths_[across_]);
    if (!cell) return std::nullopt;
    return lowest_[axis] + static_cast<double>(axis == across_ ? cell->across : cell->down);
}

}  // namespace rope
