#include "io/shape/axes_by_heads.hpp"

#include <algorithm>

#include "io/shape/axes_by_vectors.hpp"

namespace rope::io {

std::uint64_t heads_of(const std::vector<std::uint64_t>& shape, const VectorAxes& axes) {
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        if (axis != axes.sequence && axis != batch_of(shape, axes)) count *= shape[axis];
    return count;
}

std::optional<VectorAxes> of_so_many_heads(const std::vector<std::uint64_t>& heads,
                                           const std::vector<std::uint64_t>& shape,
                                           const std::vector<VectorAxes>& found) {
    const auto is_so = [&](const VectorAxes& one) {
        return std::ranges::find(heads, heads_of(shape, one)) != heads.end();
    };
    if (std::ranges::count_if(found, is_so) != 1) return std::nullopt;
    VectorAxes told = *std::ranges::find_if(found, is_so);
    told.from = "as many heads as in the config";
    return told;
}

std::optional<VectorAxes> decode_step(const Array& before, const Array& after,
                                      const std::vector<std::uint64_t>& heads,
                                      const std::vector<VectorAxes>& found) {
    const std::vector<std::uint64_t>& shape = before.shape;
    if (shape.size() != 4 || shape[2] != 1 || of_so_many_heads(heads, shape, found))
        return std::nullopt;
    auto one = of_so_many_heads(heads, shape, {{2, std::nullopt, {}}});
    if (!one || turn_between(before, after, *one, {.fifths = 3}).most > most_alike)
        return std::nullopt;
    return one;
}

bool is_part_of(std::uint64_t count, const std::vector<std::uint64_t>& heads) {
    return std::ranges::any_of(heads, [&](std::uint64_t all) { return all % count == 0; });
}

}  // namespace rope::io
