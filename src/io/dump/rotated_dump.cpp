#include <optional>
#include <utility>

#include "base/decimal.hpp"
#include "io/dump/dump.hpp"
#include "io/shape/position_ids.hpp"
#include "io/shape/vector_axes.hpp"
#include "rope/number/element.hpp"

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

void require_positions_fit(const NamedArray& vectors, const NamedArray& positions,
                           const VectorAxes& axes, const PositionIds& ids) {
    const Shape& shape = vectors.array.shape;
    const bool batch_fits = ids.sequences == 1 || (axes.batch && axes.batch != axes.sequence &&
                                                   shape[*axes.batch] == ids.sequences);
    if (shape[axes.sequence] == ids.length && batch_fits) return;
    refuse_shape(vectors,
                 "does not fit " + positions.name + ", shape " + shape_text(positions.array.shape));
}

std::vector<double> row_positions(const Shape& shape, const VectorAxes& axes,
                                  const PositionIds& ids, std::uint64_t rows) {
    std::vector<double> positions(rows);
    for (std::uint64_t row = 0; row < rows; ++row)
        positions[row] = ids.at(axes.batch ? index_on(shape, *axes.batch, row) : 0,
                                index_on(shape, axes.sequence, row));
    return positions;
}

// Heads on one axis, or on neighbouring ones; else rows are not distinguished.
RowGrid grid_of(const Shape& shape, VectorAxes axes) {
    RowGrid grid;
    axes.batch = batch_of(shape, axes);
    std::uint64_t stride = 1;
    bool between = false;  // an axis that is not the heads' came after one that is
    for (std::size_t axis = shape.size() - 1; axis-- > 0; stride *= shape[axis]) {
        const RowAxis own{shape[axis], stride};
        if (axis == axes.sequence)
            grid.sequence = own;
        else if (axis == axes.batch)
            grid.batch = own;
        else if (grid.head.length == 1)
            grid.head = own;
        else if (!between || own.length == 1)
            grid.head.length *= own.length;
        else
            return {};
        between = grid.head.length > 1 && (axis == axes.sequence || axis == axes.batch);
    }
    return grid;
}

struct PlacedRows {
    std::vector<double> positions;
    VectorAxes axes;
};

PlacedRows positions_on_one_axis(const NamedArray& before, const NamedArray& after,
                                 const std::optional<NamedArray>& positions,
                                 std::string_view axes_text, const DumpHints& asked) {
    const Shape& shape = before.array.shape;
    std::optional<PositionIds> ids;
    std::optional<VectorAxes> named;
    if (!axes_text.empty()) named = named_axes(before, axes_text);
    if (positions) ids = position_ids(*positions);
    if (ids && is_decode_step(shape, *positions, *ids, named))
        std::swap(ids->sequences, ids->length);
    const VectorAxes axes = named ? *named : guessed_axes(before, after, positions, ids, asked);
    if (!ids) ids = counting_positions(shape[axes.sequence]);
    if (positions) require_positions_fit(before, *positions, axes, *ids);
    return {row_positions(shape, axes, *ids, before.array.size() / shape.back()), axes};
}

StridedRows rows_of(const Array& vectors) {
    return {vectors.element, vectors.bytes, 0, vectors.shape.back(), 1, vectors.owner};
}

struct Vectors {
    NamedArray before, after;
    std::string axes;  // letters; empty: not named
    bool is_fused = false;
};

// [tokens, heads·d] as [tokens, heads, d], and the axes likewise; not where there is an axis of
// heads.
void split_fused_heads(Vectors& vectors, std::uint64_t head_dim) {
    const Shape& shape = vectors.before.array.shape;
    if (vectors.axes.size() == shape.size() && vectors.axes.find('h') != std::string::npos) return;
    if (shape.size() < 2 || shape.size() > 3) return;
    if (shape.back() <= head_dim || shape.back() % head_dim != 0) return;
    if (vectors.axes.size() == shape.size() && vectors.axes.ends_with('d'))
        vectors.axes.insert(vectors.axes.size() - 1, 1, 'h');
    vectors.is_fused = true;
    for (NamedArray* one : {&vectors.before, &vectors.after}) {
        one->array.shape.back() /= head_dim;
        one->array.shape.push_back(head_dim);
    }
}

// A letter for each axis before the lanes.
std::string letters_of(const Shape& shape, const VectorAxes& axes) {
    const auto batch = batch_of(shape, axes);
    std::string letters;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        letters += axis == axes.sequence ? 's' : axis == batch ? 'b' : 'h';
    return letters;
}

constexpr std::uint64_t most_heads = 128;  // of any model: DeepSeek-V3, Llama 3.1 405B

// A rotation along the heads makes these look like the sequence. What the axes are then, where the
// vectors alone chose them and what was taken for the sequence may be heads; or what they are if
// the config is not the vectors' own.
std::optional<Assumption> other_axes(const Vectors& vectors, const VectorAxes& axes) {
    const Shape& shape = vectors.before.array.shape;
    if (!axes.by_vectors && !axes.against_vectors) return std::nullopt;
    std::string letters = letters_of(shape, axes);
    if (vectors.is_fused) letters.pop_back();
    std::optional<std::size_t> longest;
    std::uint64_t heads = 1;
    for (std::size_t axis = 0; axis < letters.size(); ++axis) {
        if (letters[axis] != 'h') continue;
        heads *= shape[axis];
        if (shape[axis] >= shape[longest.value_or(axis)]) longest = axis;
    }
    const bool may_be_heads =
        longest && (shape[axes.sequence] <= most_heads || shape[axes.sequence] <= shape[*longest]);
    if (!may_be_heads) return std::nullopt;
    const std::uint64_t length = shape[axes.sequence], other = shape[*longest];
    std::swap(letters[axes.sequence], letters[*longest]);
    return Assumption{"other_axes", letters + 'd',
                      "if " + vectors.before.name + " is " + decimal(other) + " positions of " +
                          decimal(heads / other * length) + " heads, not " + decimal(length) +
                          " of " + decimal(heads) +
                          (axes.by_vectors ? ", the rotation runs along the wrong axis"
                                           : ", the rotation runs along the positions")};
}

// "bhsd", "s(hd)"
Assumption axes_read(const Vectors& vectors, const VectorAxes& axes) {
    const Shape& shape = vectors.before.array.shape;
    const std::size_t heads = shape.size() - 2;
    std::string letters = letters_of(shape, axes);
    if (vectors.is_fused) letters.insert(heads, 1, '(');
    std::string from = axes.from;
    if (std::ranges::count(letters, 'h') > 1)
        from += "; each axis called h counts as heads: " + shape_text(shape);
    if (vectors.is_fused)
        from += "; " + decimal(shape[heads]) + " heads of head_dim = " + decimal(shape.back());
    return {"axes", letters + (vectors.is_fused ? "d)" : "d"), std::move(from)};
}

void require_lanes(const NamedArray& vectors, const std::optional<Spec>& spec) {
    const Shape& shape = vectors.array.shape;
    if (spec && (shape.size() < 2 || shape.back() != spec->head_dim))
        refuse_shape(
            vectors,
            "does not end in head_dim = " + decimal(spec->head_dim) +
                " dimensions, or several heads of them, after the rows; of heads that rotate in "
                "part --dim has all dimensions, and --rotary-dim and "
                "--rope rotary_offset=N those that do");
    if (shape.size() < 2 || shape.back() > max_head_dim)
        refuse_shape(vectors, "is not rows of 1 to 65536 dimensions");
    require_rows(vectors, vectors.array.size() / shape.back());
}

// Rounding to 8 bits hides what a rotation does; a right one and a wrong one would read alike.
void require_not_quantised(const NamedArray& before, const NamedArray& after, std::uint64_t lanes) {
    const std::uint64_t rows = before.array.size() / lanes;
    const auto bits = eight_bits_of(rows_of(after.array), rows, lanes);
    if (!bits || eight_bits_of(rows_of(before.array), rows, lanes) == bits) return;
    const std::string number =
        bits->format == "int8"
            ? "whole multiple of a scale, as an int8 cache has them"
            : std::string(bits->format) + " number" + (bits->is_scaled ? " times one scale" : "");
    throw InputError(after.name + ": every value is a " + number + ", which " + before.name +
                     " is not; a cache of 8 bits is not checked: save the vectors before they are "
                     "quantised");
}

void place_rows(RotatedDump& dump, const Vectors& vectors,
                const std::optional<NamedArray>& positions, const DumpHints& asked) {
    const Shape& shape = vectors.before.array.shape;
    std::vector<std::optional<NamedArray>> by_axis;
    if (positions)
        for (NamedArray& one :
             positions_by_axis(*positions, asked, Shape(shape.begin(), shape.end() - 1)))
            by_axis.emplace_back(std::move(one));
    else
        by_axis.emplace_back();
    std::optional<Assumption> other;
    for (const std::optional<NamedArray>& on_axis : by_axis) {
        PlacedRows placed =
            positions_on_one_axis(vectors.before, vectors.after, on_axis, vectors.axes, asked);
        if (dump.positions.empty()) {
            dump.positions = std::move(placed.positions);
            dump.grid = grid_of(shape, placed.axes);
            dump.read_as.push_back(axes_read(vectors, placed.axes));
            other = other_axes(vectors, placed.axes);
        } else {
            dump.more_positions.push_back(std::move(placed.positions));
        }
    }
    dump.read_as.push_back(positions_read(dump.positions, dump.more_positions, positions));
    if (other) dump.read_as.push_back(std::move(*other));
}

}  // namespace

RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const std::optional<NamedArray>& positions, const DumpHints& asked) {
    require_one_shape(before, after);
    Vectors vectors{before, after, asked.axes};
    if (asked.splits_heads && (asked.spec || asked.head_dim))
        split_fused_heads(vectors, asked.spec ? asked.spec->head_dim : *asked.head_dim);
    require_lanes(vectors.before, asked.spec);
    const std::uint64_t lanes = vectors.before.array.shape.back();
    require_not_quantised(vectors.before, vectors.after, lanes);
    RotatedDump dump{{},
                     rows_of(vectors.before.array),
                     rows_of(vectors.after.array),
                     *after.array.format(),
                     before.name + ", " + after.name,
                     {}};
    if (const auto narrow = narrower_format(dump.after, before.array.size() / lanes, lanes)) {
        dump.stored_in = dump.format;
        dump.format = *narrow;
    }
    place_rows(dump, vectors, positions, asked);
    dump.read_as.insert(dump.read_as.begin() + 1, rows_read(dump.positions.size(), before));
    if (before.array.element != after.array.element)
        dump.read_as.push_back({"format", std::string(to_string(dump.format)),
                                after.name + "; " + before.name + " is " +
                                    std::string(to_string(before.array.element))});
    return dump;
}

}  // namespace rope::io
