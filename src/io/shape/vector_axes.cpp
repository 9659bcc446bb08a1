#include "io/shape/vector_axes.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "base/printable.hpp"

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

constexpr std::uint64_t most_sampled = 256;  // rows

// How many rows apart neighbours along an axis lie.
std::uint64_t stride(const Shape& shape, std::size_t axis) {
    std::uint64_t rows = 1;
    for (std::size_t inner = axis + 1; inner + 1 < shape.size(); ++inner) rows *= shape[inner];
    return rows;
}

// Axes before the lanes that may be the sequence and, where each has its own positions, the batch:
// as long as the positions, or without them every axis that is longer than 1.
std::vector<VectorAxes> candidates(const Shape& shape, const std::optional<PositionIds>& ids) {
    std::vector<VectorAxes> found;
    for (std::size_t sequence = 0; sequence + 1 < shape.size(); ++sequence) {
        if (ids ? shape[sequence] != ids->length : shape[sequence] == 1) continue;
        if (!ids || ids->sequences == 1) {
            found.push_back({sequence, std::nullopt, {}});
            continue;
        }
        for (std::size_t batch = 0; batch + 1 < shape.size(); ++batch)
            if (batch != sequence && shape[batch] == ids->sequences) {
                found.push_back({sequence, batch, {}});
                if (batch == 0) break;  // the usual place
            }
    }
    if (found.empty() && !ids && shape.size() >= 2) found.push_back({0, std::nullopt, {}});
    return found;
}

// cos of the angle between two rows
double cosine(const Array& vectors, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t lanes = vectors.shape.back();
    double product = 0, norm_a = 0, norm_b = 0;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
        const double x = vectors.at(a * lanes + lane), y = vectors.at(b * lanes + lane);
        product += x * y;
        norm_a += x * x;
        norm_b += y * y;
    }
    return product / std::sqrt(norm_a * norm_b);
}

// How far neighbours along an axis turn unlike each other, at most, of two fifths of them: others
// may be of a head that is wrong. Nothing where none is finite.
std::optional<double> turn_along(const Array& before, const Array& after, std::size_t axis) {
    const std::uint64_t rows = before.size() / before.shape.back();
    const std::uint64_t step = 1 + (rows - 1) / most_sampled;
    std::vector<double> turns;
    for (std::uint64_t row = 0; row < rows; row += step) {
        if (index_on(before.shape, axis, row) + 1 == before.shape[axis]) continue;
        const std::uint64_t other = row + stride(before.shape, axis);
        const double turned = std::abs(cosine(after, row, other) - cosine(before, row, other));
        if (std::isfinite(turned)) turns.push_back(turned);
    }
    if (turns.empty()) return std::nullopt;
    const auto told = turns.begin() + static_cast<std::ptrdiff_t>(2 * turns.size() / 5);
    std::nth_element(turns.begin(), told, turns.end());
    return *told;
}

// Two vectors at one position turn alike, so the angle between them stays: how far it does not,
// along every axis that would not be the sequence's or the batch's. Nothing where none is left.
std::optional<double> turn_between(const Array& before, const Array& after,
                                   const VectorAxes& axes) {
    std::optional<double> most;
    for (std::size_t axis = 0; axis + 1 < before.shape.size(); ++axis) {
        if (axis == axes.sequence || axis == axes.batch || before.shape[axis] == 1) continue;
        if (const auto turned = turn_along(before, after, axis))
            most = std::max(most.value_or(0), *turned);
    }
    return most;
}

// The candidate along whose heads vectors turn alike, if one does and the others do not.
std::optional<VectorAxes> turning_alike(const Array& before, const Array& after,
                                        const std::vector<VectorAxes>& found) {
    constexpr double alike = 0x1p-6;  // bfloat16 moves an angle by 2⁻⁸
    std::vector<std::pair<double, std::size_t>> turns;
    for (std::size_t k = 0; k < found.size(); ++k) {
        const auto turn = turn_between(before, after, found[k]);
        if (!turn) return std::nullopt;
        turns.emplace_back(*turn, k);
    }
    std::sort(turns.begin(), turns.end());
    if (turns[0].first > alike || turns[1].first < 8 * turns[0].first || turns[1].first == 0)
        return std::nullopt;
    return found[turns[0].second];
}

// What nobody rotated is wrong by any axis: by the longest, if every row is as it was and one is.
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

bool ascends_by_one(const std::vector<double>& positions) {
    return std::ranges::adjacent_find(positions, [](double a, double b) { return b != a + 1; }) ==
           positions.end();
}

}  // namespace

void refuse_shape(const NamedArray& vectors, const std::string& what) {
    throw InputError(vectors.name + ": shape " + shape_text(vectors.array.shape) + " " + what);
}

std::uint64_t index_on(const Shape& shape, std::size_t axis, std::uint64_t row) {
    return row / stride(shape, axis) % shape[axis];
}

// "bhsd": as many letters as axes, s once, d once and last, the others b and h.
VectorAxes named_axes(const NamedArray& vectors, std::string_view axes) {
    const std::size_t rank = vectors.array.shape.size();
    const auto times = [&](char letter) { return std::count(axes.begin(), axes.end(), letter); };
    const bool fits = axes.size() == rank && times('s') == 1 && times('d') == 1 &&
                      axes.ends_with('d') && times('b') <= 1 &&
                      times('b') + times('h') + 2 == static_cast<std::ptrdiff_t>(rank);
    if (!fits)
        refuse_shape(vectors, "does not fit the axes '" + printable(axes) +
                                  "'; write one letter an axis, s and a last d, else b or h");
    const std::size_t batch = axes.find('b');
    return {axes.find('s'), batch == axes.npos ? std::nullopt : std::optional(batch), "--axes"};
}

VectorAxes guessed_axes(const NamedArray& before, const NamedArray& after,
                        const std::optional<NamedArray>& positions,
                        const std::optional<PositionIds>& ids) {
    const Shape& shape = before.array.shape;
    std::vector<VectorAxes> found = candidates(shape, ids);
    if (found.empty())
        refuse_shape(before, positions ? "has no axis as long as " + positions->name + ", shape " +
                                             shape_text(positions->array.shape)
                                       : "has no axis for positions");
    // every choice among axes of length 1 is the same
    if (found.size() == 1 || (ids && ids->length == 1)) {
        found.front().from = positions ? "the length of " + positions->name : "the shape";
        return found.front();
    }
    if (auto told = turning_alike(before.array, after.array, found)) {
        told->from = "vectors at one position turn alike";
        return *told;
    }
    if (auto still = not_rotated(before.array, after.array, found)) {
        still->from = "the longest axis; no vector is rotated";
        return *still;
    }
    refuse_shape(before,
                 std::string("does not determine which axis is the sequence; pass --axes, ") +
                     "such as " + (shape.size() == 3 ? "shd" : "bhsd or bshd"));
}

bool is_decode_step(const Shape& shape, const NamedArray& positions, const PositionIds& ids,
                    const std::optional<VectorAxes>& named) {
    if (ids.sequences != 1 || ids.length == 1) return false;
    if (named)
        return shape[named->sequence] == 1 && named->batch && shape[*named->batch] == ids.length;
    if (shape.size() != 4 || shape[0] != ids.length || ascends_by_one(ids.values)) return false;
    return shape[2] == 1 || (shape[1] == 1 && positions.array.shape.back() == 1);
}

}  // namespace rope::io
