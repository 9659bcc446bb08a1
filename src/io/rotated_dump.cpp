#include <algorithm>
#include <optional>

#include "io/dump.hpp"
#include "io/dump_positions.hpp"
#include "io/printable.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

struct Axes {
    std::size_t sequence;
    std::optional<std::size_t> batch;  // needed only where every sequence has its own positions
};

[[noreturn]] void refuse(const NamedArray& vectors, const std::string& what) {
    throw InputError(vectors.name + ": shape " + shape_text(vectors.array.shape) + " " + what);
}

// "bhsd": as many letters as axes, s once, d once and last, the others b and h.
Axes named_axes(const NamedArray& vectors, std::string_view axes) {
    const std::size_t rank = vectors.array.shape.size();
    const auto times = [&](char letter) { return std::count(axes.begin(), axes.end(), letter); };
    const bool fits = axes.size() == rank && times('s') == 1 && times('d') == 1 &&
                      axes.ends_with('d') && times('b') <= 1 &&
                      times('b') + times('h') + 2 == static_cast<std::ptrdiff_t>(rank);
    if (!fits)
        refuse(vectors, "does not fit the axes '" + printable(axes) +
                            "'; write one letter an axis, s and a last d, else b or h");
    const std::size_t batch = axes.find('b');
    return {axes.find('s'), batch == axes.npos ? std::nullopt : std::optional(batch)};
}

// Axes before the lanes that may be the sequence: as long as the positions, or without them the
// only one that is longer than 1.
std::vector<std::size_t> candidates(const Shape& shape, const std::optional<PositionIds>& ids) {
    std::vector<std::size_t> found;
    const std::size_t first = ids && ids->sequences > 1 ? 1 : 0;  // axis 0 is the batch
    for (std::size_t axis = first; axis + 1 < shape.size(); ++axis)
        if (ids ? shape[axis] == ids->length : shape[axis] > 1) found.push_back(axis);
    if (found.empty() && !ids && shape.size() >= 2) found.push_back(0);  // one position
    return found;
}

Axes guessed_axes(const NamedArray& vectors, const std::optional<NamedArray>& positions,
                  const std::optional<PositionIds>& ids) {
    const std::vector<std::size_t> found = candidates(vectors.array.shape, ids);
    if (found.empty())
        refuse(vectors, positions ? "has no axis as long as " + positions->name + ", shape " +
                                        shape_text(positions->array.shape)
                                  : "has no axis for positions");
    // q of one head in a batch of one: every choice among axes of length 1 is the same
    const bool all_ones = ids && ids->length == 1;
    if (found.size() > 1 && !all_ones)
        refuse(vectors,
               std::string("leaves open which axis is the sequence; say so with --axes, ") +
                   "such as " + (vectors.array.shape.size() == 3 ? "shd" : "bhsd or bshd"));
    return {found.front(), 0};
}

void require_positions_fit(const NamedArray& vectors, const NamedArray& positions, const Axes& axes,
                           const PositionIds& ids) {
    const Shape& shape = vectors.array.shape;
    const bool batch_fits = ids.sequences == 1 || (axes.batch && axes.batch != axes.sequence &&
                                                   shape[*axes.batch] == ids.sequences);
    if (shape[axes.sequence] == ids.length && batch_fits) return;
    refuse(vectors,
           "does not fit " + positions.name + ", shape " + shape_text(positions.array.shape));
}

// How many rows apart neighbours along an axis lie.
std::uint64_t stride(const Shape& shape, std::size_t axis) {
    std::uint64_t rows = 1;
    for (std::size_t inner = axis + 1; inner + 1 < shape.size(); ++inner) rows *= shape[inner];
    return rows;
}

std::vector<std::uint64_t> row_positions(const Shape& shape, const Axes& axes,
                                         const PositionIds& ids, std::uint64_t rows) {
    const auto index = [&](std::uint64_t row, std::size_t axis) {
        return row / stride(shape, axis) % shape[axis];
    };
    std::vector<std::uint64_t> positions(rows);
    for (std::uint64_t row = 0; row < rows; ++row)
        positions[row] =
            ids.at(axes.batch ? index(row, *axes.batch) : 0, index(row, axes.sequence));
    return positions;
}

}  // namespace

RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const std::optional<NamedArray>& positions, std::string_view axes_text,
                         const Spec& spec) {
    require_alike(before, after);
    if (positions && axis_count(spec.axes) > 1) {
        const auto by_axis = positions_by_axis(*positions, spec.axes);
        const Spec one_axis{.head_dim = spec.head_dim, .rotary_dim = spec.rotary_dim};
        RotatedDump dump = rotated_dump(before, after, by_axis[0], axes_text, one_axis);
        for (std::size_t a = 1; a < by_axis.size(); ++a)
            dump.more_positions.push_back(
                rotated_dump(before, after, by_axis[a], axes_text, one_axis).positions);
        return dump;
    }
    const Shape& shape = before.array.shape;
    if (shape.size() < 2 || shape.back() != spec.head_dim)
        refuse(before, "does not end in head_dim = " + decimal(std::uint64_t{spec.head_dim}) +
                           " lanes after the rows");
    std::optional<PositionIds> ids;
    if (positions) ids = position_ids(*positions);
    const Axes axes =
        axes_text.empty() ? guessed_axes(before, positions, ids) : named_axes(before, axes_text);
    if (!ids) ids = counting_positions(shape[axes.sequence]);
    if (positions) require_positions_fit(before, *positions, axes, *ids);
    return {row_positions(shape, axes, *ids, before.array.size() / shape.back()),
            StridedRows(before.array.values(), spec.head_dim),
            StridedRows(after.array.values(), spec.head_dim),
            *before.array.format(),
            before.name + ", " + after.name,
            {}};
}

}  // namespace rope::io
