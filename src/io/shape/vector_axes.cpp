#include "io/shape/vector_axes.hpp"

#include <algorithm>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/shape/axes_by_heads.hpp"
#include "io/shape/axes_by_vectors.hpp"

namespace rope::io {
namespace {

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
        if (positions && is_cache(before.array, after.array, found.front()))
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
    const auto alike = turning_alike(before.array, after.array, found);
    auto told = of_so_many_heads(asked.heads, shape, found);
    const bool differ = told && alike && alike->sequence != told->sequence;
    if (told && !(differ && is_part_of(heads_of(shape, *alike), asked.heads))) {
        told->against_vectors = differ;
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
