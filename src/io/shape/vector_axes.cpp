// Which axes of vectors are the sequence and the batch: by how they turn, by the heads, by both.
#include "io/shape/vector_axes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ranges>
#include <vector>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "rope/number/row_sample.hpp"

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

constexpr std::uint64_t most_sampled = 256;  // rows

// How much the angle between two rows changed, over the dimensions that moved in one of them: an
// attention factor scales these alone. NaN where a row is zero.
double turned(const Array& before, const Array& after, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t lanes = before.shape.back();
    Cosine all, own, moved;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t x = a * lanes + lane, y = b * lanes + lane;
        all.add(before.at(x), before.at(y));
        if (before.at(x) == after.at(x) && before.at(y) == after.at(y)) continue;
        own.add(before.at(x), before.at(y));
        moved.add(after.at(x), after.at(y));
    }
    if (!all.is_determined()) return NAN;
    return own.is_determined() ? std::abs(moved.value() - own.value()) : 0;
}

bool is_moved(const Array& before, const Array& after, std::uint64_t row) {
    const std::uint64_t lanes = before.shape.back();
    for (std::uint64_t value = row * lanes; value < (row + 1) * lanes; ++value)
        if (before.at(value) != after.at(value)) return true;
    return false;
}

}  // namespace

std::uint64_t stride(const Shape& shape, std::size_t axis) {
    std::uint64_t rows = 1;
    for (std::size_t inner = axis + 1; inner + 1 < shape.size(); ++inner) rows *= shape[inner];
    return rows;
}

std::uint64_t index_on(const Shape& shape, std::size_t axis, std::uint64_t row) {
    return row / stride(shape, axis) % shape[axis];
}

std::optional<double> turn_along(const Array& before, const Array& after, std::size_t axis,
                                 const Counted& counted) {
    const std::uint64_t rows = before.size() / before.shape.back();
    const std::uint64_t length = before.shape[axis], step = stride(before.shape, axis);
    const auto counts = [&](std::uint64_t row) {
        return !counted.moved_alone || is_moved(before, after, row);
    };
    std::vector<double> turns;
    for (std::uint64_t k = 0; k < std::min(rows, most_sampled); ++k) {
        const std::uint64_t row = sampled_row(k, rows, most_sampled);
        if (!counts(row)) continue;
        const std::uint64_t index = index_on(before.shape, axis, row);
        double least = INFINITY;
        // half the axis apart, where positions turn fast pairs and slow ones unlike each other;
        // nearer where rows are zero, as those of a cache that are not written
        for (std::uint64_t apart = length / 2; apart > 0 && !std::isfinite(least); apart /= 2)
            for (const std::uint64_t away : {apart, length > 2 ? apart + 1 : apart}) {
                const std::uint64_t other = row - index * step + (index + away) % length * step;
                if (!counts(other)) continue;
                if (const double turn = turned(before, after, row, other); turn < least)
                    least = turn;
            }
        if (std::isfinite(least)) turns.push_back(least);
    }
    if (turns.empty()) return std::nullopt;
    const auto told =
        turns.begin() + static_cast<std::ptrdiff_t>(counted.fifths * turns.size() / 5);
    std::nth_element(turns.begin(), told, turns.end());
    return *told;
}

namespace {

// Which axes of vectors are the sequence and the batch, by how the vectors turn.

inline constexpr double most_alike = 0x1p-8;  // how far bfloat16 moves an angle

// Two vectors at one position turn alike, so the angle between them stays: how far it does not,
// along every axis that would not be the sequence's or the batch's.
struct Turn {
    double most = 0;
    bool is_determined = true;  // along each of them
};

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

// The candidate along whose heads vectors turn alike, if one does and the others do not; along the
// batch, too, where all entries have the same positions.
std::optional<VectorAxes> turning_alike(const Array& before, const Array& after,
                                        const std::vector<VectorAxes>& found,
                                        bool are_entries_alike) {
    std::vector<std::pair<double, std::size_t>> turns;
    for (std::size_t k = 0; k < found.size(); ++k) {
        VectorAxes axes = found[k];
        if (are_entries_alike) axes.batch.reset();
        // a head of three may be wrong
        const Turn turn = turn_between(before, after, axes, {.fifths = 3});
        if (!turn.is_determined) return std::nullopt;
        turns.emplace_back(turn.most, k);
    }
    std::sort(turns.begin(), turns.end());
    if (turns[0].first > most_alike || turns[1].first < 8 * turns[0].first || turns[1].first == 0)
        return std::nullopt;
    VectorAxes told = found[turns[0].second];
    told.from = "vectors at the same position rotate by the same angles";
    told.leave_a_doubt = true;
    return told;
}

// What nobody rotated turns as at position 0, whatever its own: the candidate that the vectors
// which are moved do not contradict, if they do all others.
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
    left->from = "in any other order, vectors at the same position would rotate differently";
    left->leave_a_doubt = true;
    return left;
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

// Which axes of vectors are the sequence and the batch, by how many heads the config has.

std::uint64_t heads_of(const std::vector<std::uint64_t>& shape, const VectorAxes& axes) {
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        if (axis != axes.sequence && axis != batch_of(shape, axes)) count *= shape[axis];
    return count;
}

// The one that leaves as many heads as the config has.
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

// One token's: the axis of length 1 that leaves as many heads as the config has, which all turn
// alike, where no longer one does.
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

// Heads that the vectors may have of a config's: a part of them, as a device or a test has.
bool is_part_of(std::uint64_t count, const std::vector<std::uint64_t>& heads) {
    return std::ranges::any_of(heads, [&](std::uint64_t all) { return all % count == 0; });
}

using Shape = std::vector<std::uint64_t>;

// [1, heads, L, d] is a batch of one: ids of [heads, L] are those of as many axes.
bool are_heads(const Shape& shape, std::size_t sequence, std::size_t axis) {
    return shape.size() == 4 && shape[0] == 1 && sequence != 0 && axis != 0;
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
            if (batch != sequence && shape[batch] == ids->sequences &&
                !are_heads(shape, sequence, batch)) {
                found.push_back({sequence, batch, {}});
                if (batch == 0) break;  // the usual place
            }
    }
    if (found.empty() && !ids && shape.size() >= 2) found.push_back({0, std::nullopt, {}});
    return found;
}

// The one that is as long as the table beside the vectors.
std::optional<VectorAxes> as_long_as(std::uint64_t rows, const Shape& shape,
                                     const std::vector<VectorAxes>& found) {
    const auto length = [&](const VectorAxes& one) { return shape[one.sequence]; };
    if (std::ranges::count(found, rows, length) != 1) return std::nullopt;
    VectorAxes told = *std::ranges::find(found, rows, length);
    told.from = "as long as the table";
    return told;
}

// All keys of a decode step beside the position of its query: not one row of many heads.
bool is_cache(const Array& before, const Array& after, const VectorAxes& axes) {
    return before.shape.size() == 4 && axes.sequence == 0 && before.shape[0] == 1 &&
           turn_between(before, after, axes, {.fifths = 3}).most > most_alike;
}

// [B, N, 1, d] without positions, whose N vectors turn alike: N heads of one token, or N rows that
// are all at one position, which would be a fault.
bool may_be_one_token(const Array& before, const Array& after, const std::vector<VectorAxes>& found,
                      const std::vector<std::uint64_t>& heads) {
    constexpr std::uint64_t most_heads = 128;
    const Shape& shape = before.shape;
    return shape.size() == 4 && found.size() == 1 && found.front().sequence == 1 && shape[2] == 1 &&
           shape[1] <= most_heads && !of_so_many_heads(heads, shape, found) &&
           turn_between(before, after, {2, std::nullopt, {}}, {.fifths = 3}).most <= most_alike;
}

bool ascends_by_one(const std::vector<double>& positions) {
    return std::ranges::adjacent_find(positions, [](double a, double b) { return b != a + 1; }) ==
           positions.end();
}

}  // namespace

std::optional<std::size_t> batch_of(const Shape& shape, const VectorAxes& axes) {
    if (axes.batch || shape.size() != 4 || axes.sequence == 0) return axes.batch;
    return 0;
}

void refuse_shape(const NamedArray& vectors, const std::string& what) {
    throw InputError(vectors.name + ": shape " + shape_text(vectors.array.shape) + " " + what);
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

namespace {

[[noreturn]] void refuse_lengths(const NamedArray& vectors,
                                 const std::optional<NamedArray>& positions,
                                 const std::optional<PositionIds>& ids) {
    if (!positions) refuse_shape(vectors, "has no axis for positions");
    const Shape& shape = vectors.array.shape;
    const std::string own = positions->name + ", shape " + shape_text(positions->array.shape);
    if (ids && are_heads(shape, 2, 1) && ids->sequences == shape[1] && ids->length == shape[2])
        refuse_shape(vectors,
                     "is a batch of one, but " + own +
                         ", is not one row; if its rows are axes, give --rope "
                         "axes=SCHEME,mrope_section=LIST, if they are a batch, --axes hbsd");
    refuse_shape(vectors, "has no axis as long as " + own);
}

}  // namespace

VectorAxes guessed_axes(const NamedArray& before, const NamedArray& after,
                        const std::optional<NamedArray>& positions,
                        const std::optional<PositionIds>& ids, const DumpHints& asked) {
    const Shape& shape = before.array.shape;
    std::vector<VectorAxes> found = candidates(shape, ids);
    if (found.empty()) refuse_lengths(before, positions, ids);
    if (!ids)
        if (auto step = decode_step(before.array, after.array, asked.heads, found)) return *step;
    // every choice among axes of length 1 is the same
    if (found.size() == 1 || (ids && ids->length == 1)) {
        if (positions && asked.are_keys && is_cache(before.array, after.array, found.front()))
            refuse_shape(before, "does not fit " + positions->name + ", shape " +
                                     shape_text(positions->array.shape));
        if (!ids && may_be_one_token(before.array, after.array, found, asked.heads))
            refuse_shape(before, "may be one row of " + decimal(shape[1]) + " heads or " +
                                     decimal(shape[1]) +
                                     " rows of one; pass positions, or --axes bhsd or bshd");
        // [1, heads, 1, d] is bhsd, as any batch of it would be
        found.back().from = positions ? "the length of " + positions->name : "the shape";
        return found.back();
    }
    const auto alike = turning_alike(before.array, after.array, found, ids && are_equal(*ids));
    auto told = of_so_many_heads(asked.heads, shape, found);
    const bool differ = told && alike && alike->sequence != told->sequence;
    if (told && !(differ && is_part_of(heads_of(shape, *alike), asked.heads))) {
        told->leave_a_doubt = differ;
        return *told;
    }
    if (alike) return *alike;
    if (const auto left = not_contradicted(before.array, after.array, found)) return *left;
    if (auto still = not_rotated(before.array, after.array, found)) {
        still->from = "the longest axis; no vector is rotated";
        return *still;
    }
    if (asked.table_rows && !ids)
        if (const auto same = as_long_as(*asked.table_rows, shape, found)) return *same;
    if (asked.is_any_axis_right) {
        found.front().from = "the checked property holds along any axis";
        return found.front();
    }
    refuse_shape(
        before,
        std::string("does not determine which axis is the sequence: along no axis do all "
                    "vectors rotate by one angle per position (zeros, values that are not "
                    "finite and batch entries at other positions prevent it); pass --axes ") +
            (shape.size() == 3 ? "hsd or shd" : "bhsd or bshd") + " to find the fault");
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
