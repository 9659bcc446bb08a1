#include "io/shape/axes_by_vectors.hpp"

#include <algorithm>
#include <ranges>

namespace rope::io {

Turn turn_between(const Array& before, const Array& after, const VectorAxes& axes,
                  const Counted& counted) {
    Turn turn;
    for (std::size_t axis = 0; axis + 1 < before.shape.size(); ++axis) {
        if (axis == axes.sequence || axis == axes.batch || before.shape[axis] == 1) continue;
        const auto turned = turn_along(before, after, axis, counted);
        turn.most = std::max(turn.most, turned.value_or(0));
        turn.is_determined = turn.is_determined && turned;
    }
    return turn;
}

std::optional<VectorAxes> turning_alike(const Array& before, const Array& after,
                                        const std::vector<VectorAxes>& found) {
    std::vector<std::pair<double, std::size_t>> turns;
    for (std::size_t k = 0; k < found.size(); ++k) {
        // a head of three may be wrong
        const Turn turn = turn_between(before, after, found[k], {.fifths = 3});
        if (!turn.is_determined) return std::nullopt;
        turns.emplace_back(turn.most, k);
    }
    std::sort(turns.begin(), turns.end());
    if (turns[0].first > most_alike || turns[1].first < 8 * turns[0].first || turns[1].first == 0)
        return std::nullopt;
    VectorAxes told = found[turns[0].second];
    told.from = "vectors at the same position turn alike";
    told.by_vectors = true;
    return told;
}

std::optional<VectorAxes> not_contradicted(const Array& before, const Array& after,
                                           const std::vector<VectorAxes>& found) {
    std::optional<VectorAxes> left;
    for (const VectorAxes& one : found) {
        if (turn_between(before, after, one, {.fifths = 2, .moved_alone = true}).most > most_alike)
            continue;
        if (left) return std::nullopt;
        left = one;
    }
    if (!left) return std::nullopt;
    left->from = "in any other order, vectors at the same position would turn differently";
    left->by_vectors = true;
    return left;
}

std::optional<VectorAxes> not_rotated(const Array& before, const Array& after,
                                      const std::vector<VectorAxes>& found) {
    const auto stays = [&](std::uint64_t k) { return before.at(k) == after.at(k); };
    if (!std::ranges::all_of(std::views::iota(std::uint64_t{0}, before.size()), stays))
        return std::nullopt;
    const auto length = [&](const VectorAxes& one) { return before.shape[one.sequence]; };
    VectorAxes longest = *std::ranges::max_element(found, {}, length);
    if (std::ranges::count(found, length(longest), length) > 1) return std::nullopt;
    return longest;
}

}  // namespace rope::io
