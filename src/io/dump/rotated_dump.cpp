#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/quantised.hpp"
#include "io/shape/arranged.hpp"
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

struct Vectors {
    NamedArray before, after;
    std::string axes;  // letters; empty: not named
    bool is_fused = false;
};

struct PlacedRows {
    std::vector<double> positions;
    VectorAxes axes;
};

// Ids of one token of each batch entry, [B, 1], with all keys [B, heads, L, d] up to it.
bool are_of_last_token(const Shape& shape, const NamedArray& positions,
                       const std::optional<VectorAxes>& named) {
    const Shape& ids = positions.array.shape;
    if (named)
        return shape[named->sequence] != 1 &&
               positions.array.size() == (named->batch ? shape[*named->batch] : 1);
    return shape.size() == 4 && positions.array.size() == shape[0] &&
           (ids.empty() || ids.back() == 1 || ids.size() == 1) && shape[1] != 1 && shape[2] != 1;
}

// Ids as many as the rows of a sequence: those of its last rows where they are more, and where
// they are those of the last row alone, the ones that count up to it. None where they are others.
std::optional<PositionIds> ids_of_length(const PositionIds& ids, std::uint64_t length,
                                         bool is_derived) {
    if (ids.length == length) return ids;
    if (ids.length > length ? length != 1 && !is_derived : ids.length != 1 && is_derived)
        return std::nullopt;
    PositionIds fitted{ids.sequences, length, {}};
    for (std::uint64_t sequence = 0; sequence < ids.sequences; ++sequence) {
        const double last = ids.at(sequence, ids.length - 1);
        const auto before = static_cast<double>(length - 1);
        if (ids.length < length && ids.length > 1 && last != before) return std::nullopt;
        for (std::uint64_t index = 0; index < length; ++index)
            fitted.values.push_back(
                ids.length > length ? ids.at(sequence, ids.length - length + index)
                                    : std::max(0.0, last - before) + static_cast<double>(index));
    }
    return fitted;
}

std::optional<VectorAxes> axes_without_ids(const Vectors& vectors, const DumpHints& asked) {
    try {
        return guessed_axes(vectors.before, vectors.after, std::nullopt, std::nullopt, asked);
    } catch (const InputError&) {  // they leave a choice
        return std::nullopt;
    }
}

// Where the rows are not as many as the ids: by the axes that the vectors have without them.
std::optional<PlacedRows> on_other_rows(const Vectors& vectors, const StatedPositions& stated,
                                        PositionIds ids, const std::optional<VectorAxes>& named,
                                        const DumpHints& asked) {
    const Shape& shape = vectors.before.array.shape;
    const bool has_axis = std::ranges::count(shape.begin(), shape.end() - 1, ids.length) > 0;
    const bool is_last = are_of_last_token(shape, *stated.ids, named);
    if (has_axis && !is_last) return std::nullopt;
    const auto found = named ? named : axes_without_ids(vectors, asked);
    if (!found) return std::nullopt;
    const std::uint64_t length = shape[found->sequence];
    const double least = *std::ranges::min_element(ids.values);
    const bool may_be_rows = has_axis && stated.ids->array.shape.size() == 1;  // [L], not [B]
    if (may_be_rows && (length == ids.length || least + 1 < static_cast<double>(length)))
        return std::nullopt;
    if (is_last) ids = {ids.values.size(), 1, std::move(ids.values)};
    VectorAxes axes = *found;
    axes.batch = batch_of(shape, axes);
    const auto fitted = ids_of_length(ids, shape[axes.sequence], stated.is_derived);
    if (!fitted ||
        (fitted->sequences != 1 && (!axes.batch || shape[*axes.batch] != fitted->sequences)))
        return std::nullopt;
    const std::uint64_t rows = vectors.before.array.size() / shape.back();
    return PlacedRows{row_positions(shape, axes, *fitted, rows), axes};
}

// Rows that count on from a position that the file states, of all batch entries or of each.
void start_at(PlacedRows& placed, const Vectors& vectors, const NamedArray& starts) {
    const Shape& shape = vectors.before.array.shape;
    const auto batch = batch_of(shape, placed.axes);
    const std::uint64_t count = starts.array.size();
    if (count != 1 && (!batch || shape[*batch] != count))
        refuse_shape(vectors.before,
                     "does not fit " + starts.name + ", shape " + shape_text(starts.array.shape));
    for (std::size_t row = 0; row < placed.positions.size(); ++row)
        placed.positions[row] += starts.array.at(count == 1 ? 0 : index_on(shape, *batch, row));
}

PlacedRows positions_on_one_axis(const Vectors& vectors, const StatedPositions& stated,
                                 const DumpHints& asked) {
    const std::optional<NamedArray>& positions = stated.ids;
    const NamedArray& before = vectors.before;
    const Shape& shape = before.array.shape;
    std::optional<PositionIds> ids;
    std::optional<VectorAxes> named;
    if (!vectors.axes.empty()) named = named_axes(before, vectors.axes);
    if (positions) ids = position_ids(*positions);
    if (ids)
        if (auto placed = on_other_rows(vectors, stated, *ids, named, asked))
            return *std::move(placed);
    if (ids && is_decode_step(shape, *positions, *ids, named))
        std::swap(ids->sequences, ids->length);
    const VectorAxes axes =
        named ? *named : guessed_axes(before, vectors.after, positions, ids, asked);
    if (!ids) ids = counting_positions(shape[axes.sequence]);
    if (positions) require_positions_fit(before, *positions, axes, *ids);
    PlacedRows placed{row_positions(shape, axes, *ids, before.array.size() / shape.back()), axes};
    if (stated.starts) start_at(placed, vectors, *stated.starts);
    return placed;
}

StridedRows rows_of(const Array& vectors) {
    return {vectors.element, vectors.bytes, 0, vectors.shape.back(), 1, vectors.owner};
}

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
    if (!axes.leave_a_doubt) return std::nullopt;
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
                      vectors.before.name + " is read as " + decimal(length) + " positions of " +
                          decimal(heads) + " heads; if it is " + decimal(other) + " positions of " +
                          decimal(heads / other * length) + " heads"};
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

// Rounding to 8 bits hides what a rotation does: a right one and a wrong one are equal after it.
void require_no_float8(const NamedArray& before, const NamedArray& after, std::uint64_t lanes) {
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

void require_no_steps(const NamedArray& before, const NamedArray& after, const RowGrid& grid) {
    const auto steps = quantisation_of(after.array, grid);
    if (!steps || quantisation_of(before.array, grid)) return;
    throw InputError(after.name + ": every value is a whole multiple of " + *steps +
                     ", as in a quantised cache, which " + before.name +
                     " is not; save the vectors before they are quantised");
}

// Of each row, whether it is no padding; empty where all are.
std::vector<bool> kept_rows(const Shape& shape, const VectorAxes& axes, const NamedArray& kept) {
    const PositionIds of = position_ids(kept);
    const std::uint64_t length = shape[axes.sequence];
    const auto batch = batch_of(shape, axes);
    if (of.length < length || (of.sequences != 1 && (!batch || shape[*batch] != of.sequences)))
        return {};
    std::vector<bool> all(
        std::accumulate(shape.begin(), shape.end() - 1, std::uint64_t{1}, std::multiplies<>()));
    for (std::uint64_t row = 0; row < all.size(); ++row)
        all[row] = of.at(batch ? index_on(shape, *batch, row) : 0,
                         of.length - length + index_on(shape, axes.sequence, row)) != 0;
    return std::ranges::count(all, false) == 0 ? std::vector<bool>{} : all;
}

// A zero vector does not determine a rotation, so it is left out.
Array zero_but(const Array& vectors, const std::vector<bool>& kept) {
    const std::size_t bytes = vectors.shape.back() * bytes_of(vectors.element);
    const auto own =
        std::make_shared<std::vector<std::byte>>(vectors.bytes.begin(), vectors.bytes.end());
    for (std::size_t row = 0; row < kept.size(); ++row)
        if (!kept[row]) std::memset(own->data() + row * bytes, 0, bytes);
    return {vectors.shape, vectors.element, *own, own};
}

void leave_out_padding(RotatedDump& dump, Vectors& vectors, const VectorAxes& axes,
                       const NamedArray& by) {
    const std::vector<bool> kept = kept_rows(vectors.before.array.shape, axes, by);
    const auto padding = static_cast<std::uint64_t>(std::ranges::count(kept, false));
    if (padding == 0 || padding == kept.size()) return;
    for (NamedArray* one : {&vectors.before, &vectors.after})
        one->array = zero_but(one->array, kept);
    dump.padding = padding;
    dump.read_as.push_back(padding_read(padding, kept.size(), by.name));
}

// One way to read the positions for each axis.
std::vector<StatedPositions> stated_by_axis(const Vectors& vectors, const StatedPositions& stated,
                                            const DumpHints& asked) {
    if (!stated.ids) return {stated};
    const Shape& shape = vectors.before.array.shape;
    std::vector<StatedPositions> by_axis;
    for (NamedArray& one :
         positions_by_axis(*stated.ids, asked, Shape(shape.begin(), shape.end() - 1))) {
        by_axis.push_back(stated);
        by_axis.back().ids = std::move(one);
    }
    return by_axis;
}

void place_rows(RotatedDump& dump, Vectors& vectors, const StatedPositions& stated,
                const DumpHints& asked) {
    std::optional<VectorAxes> axes;
    std::optional<Assumption> other;
    for (const StatedPositions& on_axis : stated_by_axis(vectors, stated, asked)) {
        PlacedRows placed = positions_on_one_axis(vectors, on_axis, asked);
        if (!axes) {
            dump.positions = std::move(placed.positions);
            dump.grid = grid_of(vectors.before.array.shape, placed.axes);
            dump.read_as.push_back(axes_read(vectors, placed.axes));
            other = other_axes(vectors, placed.axes);
            axes = placed.axes;
        } else {
            dump.more_positions.push_back(std::move(placed.positions));
        }
    }
    dump.read_as.push_back(positions_read(dump.positions, dump.more_positions,
                                          stated.starts ? stated.starts : stated.ids));
    if (stated.kept) leave_out_padding(dump, vectors, *axes, *stated.kept);
    if (other) dump.read_as.push_back(std::move(*other));
}

}  // namespace

RotatedDump rotated_dump(const NamedArray& given, const NamedArray& after,
                         const StatedPositions& positions, const DumpHints& asked) {
    const NamedArray before = arranged_as(after, given);
    require_one_shape(before, after);
    Vectors vectors{before, after, asked.axes};
    if (asked.splits_heads && (asked.spec || asked.head_dim))
        split_fused_heads(vectors, asked.spec ? asked.spec->head_dim : *asked.head_dim);
    require_lanes(vectors.before, asked.spec);
    const std::uint64_t lanes = vectors.before.array.shape.back();
    RotatedDump dump;
    dump.format = *after.array.format();
    dump.origin = before.name + ", " + after.name;
    require_no_float8(vectors.before, vectors.after, lanes);
    place_rows(dump, vectors, positions, asked);
    require_no_steps(vectors.before, vectors.after, dump.grid);
    dump.before = rows_of(vectors.before.array);
    dump.after = rows_of(vectors.after.array);
    if (const auto narrow = narrower_format(dump.after, before.array.size() / lanes, lanes)) {
        dump.stored_in = dump.format;
        dump.format = *narrow;
    }
    dump.read_as.insert(dump.read_as.begin() + 1, rows_read(dump.positions.size(), before));
    if (before.array.element != after.array.element)
        dump.read_as.push_back({"format", std::string(to_string(dump.format)),
                                after.name + "; " + before.name + " is " +
                                    std::string(to_string(before.array.element))});
    return dump;
}

}  // namespace rope::io
