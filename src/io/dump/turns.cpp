// Which vectors rotate alike: those at one position do.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "io/dump/vectors.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope::io {

Turns::Turn Turns::at_one_position(std::optional<std::size_t> sequence,
                                   std::optional<std::size_t> batch, unsigned fifths,
                                   bool moved_only) const {
    Turn turn;
    for (std::size_t axis = 0; axis + 1 < before_.shape.size(); ++axis) {
        if (axis == sequence || axis == batch || before_.shape[axis] == 1) continue;
        const auto turned = along(axis, fifths, moved_only);
        turn.most = std::max(turn.most, turned.value_or(0));
        turn.is_determined = turn.is_determined && turned;
        ++turn.count;
    }
    return turn;
}

bool Turns::have_moved() const {
    const std::uint64_t rows = before_.size() / before_.shape.back();
    for (std::uint64_t row = 0; row < rows; ++row)
        if (is_moved(row)) return true;
    return false;
}

// The change of the angle between a vector and another one along the axis. It is the smaller change
// for two others, since one may be in a wrong head. Nothing if no two of the rows are finite.
std::optional<double> Turns::along(std::size_t axis, unsigned fifths, bool moved_only) const {
    constexpr std::uint64_t most_sampled = 256;  // rows
    const Shape& shape = before_.shape;
    const std::uint64_t rows = before_.size() / shape.back();
    const RowAxis of_axis = row_axis(shape, axis);
    const auto [length, step] = of_axis;
    std::vector<double> turns;
    for (std::uint64_t k = 0; k < std::min(rows, most_sampled); ++k) {
        const std::uint64_t row = sampled_row(k, rows, most_sampled), index = of_axis.of(row);
        if (moved_only && !is_moved(row)) continue;
        double least = INFINITY;
        // half the axis apart, where positions turn fast and slow pairs unlike each other; nearer
        // if rows are zero, as unwritten rows of a cache are
        for (std::uint64_t apart = length / 2; apart > 0 && !std::isfinite(least); apart /= 2)
            for (const std::uint64_t away : {apart, length > 2 ? apart + 1 : apart}) {
                const std::uint64_t other = row - index * step + (index + away) % length * step;
                if (moved_only && !is_moved(other)) continue;
                if (const double turn = between(row, other); turn < least) least = turn;
            }
        if (std::isfinite(least)) turns.push_back(least);
    }
    if (turns.empty()) return std::nullopt;
    const auto at = turns.begin() + static_cast<std::ptrdiff_t>(fifths * turns.size() / 5);
    std::nth_element(turns.begin(), at, turns.end());
    return *at;
}

// The change of the angle between two rows, over the dimensions that moved in one of them, since an
// attention factor scales only these. NaN if a row is zero.
double Turns::between(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t dimensions = before_.shape.back();
    Cosine all, own, moved;
    for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension) {
        const std::uint64_t x = a * dimensions + dimension, y = b * dimensions + dimension;
        all.add(before_.at(x), before_.at(y));
        if (before_.at(x) == after_.at(x) && before_.at(y) == after_.at(y)) continue;
        own.add(before_.at(x), before_.at(y));
        moved.add(after_.at(x), after_.at(y));
    }
    if (!all.is_determined()) return NAN;
    return own.is_determined() ? std::abs(moved.value() - own.value()) : 0;
}

bool Turns::is_moved(std::uint64_t row) const {
    const std::uint64_t dimensions = before_.shape.back();
    for (std::uint64_t value = row * dimensions; value < (row + 1) * dimensions; ++value)
        if (before_.at(value) != after_.at(value)) return true;
    return false;
}

}  // namespace rope::io
