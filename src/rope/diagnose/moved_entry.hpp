// The rows of a batch entry at positions that are not theirs, and what is said of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/changes/mistakes.hpp"

namespace rope {

using Point = std::vector<double>;  // a position on each axis
using Positions = std::vector<Point>;

inline Point sum(Point one, const Point& other, double times = 1) {
    for (std::size_t axis = 0; axis < one.size(); ++axis) one[axis] += times * other[axis];
    return one;
}

inline bool is_step(const Point& step, double size) {
    return std::ranges::all_of(step, [&](double one) { return one == size; });
}

// The rows of a batch entry in the order of the sequence, without zero vectors (padding), which fit
// any position.
struct MovedEntry {
    std::uint64_t entry = 0;
    std::vector<std::uint64_t> rows = {};  // their numbers
    Positions positions = {}, asked = {};
    std::vector<bool> is_open = {};  // whether other positions fit the row as well
    bool is_of_several = false;      // batch entries, which may have each its distance

    std::size_t size() const { return rows.size(); }
    bool is_moved(std::size_t k) const { return positions[k] != asked[k]; }
    // The difference of row k from the position_ids, and from the row before it.
    Point moved(std::size_t k) const { return sum(positions[k], asked[k], -1); }
    Point step_to(std::size_t k) const { return sum(positions[k], positions[k - 1], -1); }
    bool follows(std::size_t k) const { return rows[k] == rows[k - 1] + 1; }

    template <class IsKept>
    MovedEntry some(const IsKept& is_kept) const {
        MovedEntry kept{.entry = entry, .is_of_several = is_of_several};
        for (std::size_t k = 0; k < size(); ++k) {
            if (!is_kept(k)) continue;
            kept.rows.push_back(rows[k]);
            kept.positions.push_back(positions[k]);
            kept.asked.push_back(asked[k]);
            kept.is_open.push_back(is_open[k]);
        }
        return kept;
    }
    // The moved rows at places that the values determine, or do not.
    MovedEntry certain() const {
        return some([&](std::size_t k) { return !is_open[k]; });
    }
    MovedEntry open() const {
        return some([&](std::size_t k) { return is_open[k]; });
    }
    std::vector<std::uint64_t> moved_rows() const {
        return some([&](std::size_t k) { return is_moved(k); }).rows;
    }
};

// Returns the mistake that each batch entry is at the positions of another one, each of a different
// one.
std::optional<NamedMistake> exchanged(const std::vector<MovedEntry>& entries);

NamedMistake mistake_of(const std::vector<MovedEntry>& entries);

// Whether a few numbers describe the positions, so that no other explanation is shorter.
bool is_short(const MovedEntry& one);
// Whether nothing shorter than a list of many runs describes the positions of these entries.
bool is_long(const std::vector<MovedEntry>& entries);
// Whether many runs all have another step than asked.
bool has_another_step(const MovedEntry& one);

}  // namespace rope
