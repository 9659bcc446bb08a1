#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/dump/shape.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope::io {
namespace {

Shape without(Shape shape, std::size_t axis) {
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return shape;
}

std::uint64_t count_of(const Shape& rows) {
    return std::accumulate(rows.begin(), rows.end(), std::uint64_t{1}, std::multiplies<>());
}

// Whether ids [L] or [B, L] have the lengths of the rows' axes, or [N] one for each row. [1, heads,
// L] has no batch of heads.
bool fits(Shape ids, const Shape& rows) {
    std::erase(ids, std::uint64_t{1});
    if (ids.size() == 1 && ids[0] == count_of(rows)) return true;
    if (ids.size() == 2 && rows.size() == 3 && rows[0] == 1) return false;
    return ids.size() <= 2 && std::ranges::all_of(ids, [&](std::uint64_t length) {
               return std::ranges::count(rows, length) >= std::ranges::count(ids, length);
           });
}

// Whether the rows have axes of these lengths one behind another, as batch and sequence.
bool are_in_order(const Shape& ids, const Shape& rows) {
    auto next = rows.begin();
    for (const std::uint64_t length : ids) {
        if (length == 1) continue;
        next = std::find(next, rows.end(), length);
        if (next == rows.end()) return false;
        ++next;
    }
    return true;
}

bool may_have_a_batch(const DumpHints& asked) {
    return !asked.has_no_batch && (asked.axes.empty() || asked.axes.find('b') != std::string::npos);
}

// Flat ids of three axes as [3, L]: axis by axis or row by row, whichever gives each row ids that
// are nearer to each other. llama.cpp's inp_pos has time, height, width and 0 of all rows; the
// zeros distinguish it from the ids of several sequences.
std::optional<NamedArray> unflattened_axes(const NamedArray& positions, const Shape& rows,
                                           std::uint64_t axes) {
    const Array& ids = positions.array;
    const std::uint64_t count = ids.size(), length = count / axes;
    if (ids.shape.size() != 1 || count % axes != 0 || std::ranges::count(rows, count) > 0 ||
        std::ranges::count(rows, length) == 0)
        return std::nullopt;
    const auto spread = [&](std::uint64_t of_axis, std::uint64_t of_row) {
        double sum = 0;
        for (std::uint64_t row = 0; row < length; ++row)
            for (std::uint64_t axis = 1; axis < axes; ++axis)
                sum += std::abs(ids.at(axis * of_axis + row * of_row) - ids.at(row * of_row));
        return sum;
    };
    NamedArray on_axes = positions;
    on_axes.array.shape = {axes, length};
    if (axes == 4) {
        for (std::uint64_t k = count - length; k < count; ++k)
            if (ids.at(k) != 0) return std::nullopt;
    } else if (spread(1, axes) < spread(length, 1)) {
        on_axes.array = strided_copy(ids, {axes, length}, {1, axes});
    }
    return on_axes;
}

NamedArray slice(const NamedArray& whole, std::size_t axis, std::uint64_t index) {
    const Shape& shape = whole.array.shape;
    const Shape strides = strides_of(shape);
    return {whole.name, strided_copy(whole.array, without(shape, axis), without(strides, axis),
                                     index * strides[axis])};
}

Shape without_ones(Shape shape) {
    std::erase(shape, std::uint64_t{1});
    return shape;
}

// Sequences and their length, of rows [L], [1, L], [B, L] or [L, 1, 1]. Throws InputError that
// `array` has another shape.
PositionIds sequences_of(const NamedArray& array, const Shape& shape, const std::string& what) {
    const Shape rows = without_ones(shape);
    if (rows.size() > 2) refuse_shape(array, what);
    return {rows.size() == 2 ? rows[0] : 1, rows.empty() ? 1 : rows.back(), {}};
}

std::vector<double> real_positions(const NamedArray& positions) {
    require_rows(positions, positions.array.size());
    std::vector<double> all;
    all.reserve(positions.array.size());
    for (std::uint64_t k = 0; k < positions.array.size(); ++k) {
        const double value = positions.array.at(k);
        if (!(std::abs(value) < static_cast<double>(max_context)))
            throw InputError(positions.name + ": value " + decimal(k) + " is " + decimal(value) +
                             "; a position is between -2^32 and 2^32");
        all.push_back(value + 0.0);  // −0 is 0
    }
    return all;
}

std::vector<double> on_one_axis(const NamedArray& table, const Shape& shape,
                                const std::optional<NamedArray>& positions) {
    const PositionIds rows =
        sequences_of(table, shape, "has more axes than a batch, positions and columns");
    require_rows(table, rows.sequences * rows.length);
    const PositionIds ids = positions
                                ? position_ids(*positions)
                                : PositionIds{1, rows.length, numbers_below<double>(rows.length)};
    if (ids.sequences == 1 && ids.length == rows.sequences * rows.length) return ids.values;
    const bool serves = ids.sequences == 1 || ids.sequences == rows.sequences ||
                        (rows.sequences == 1 && are_equal(ids));
    if (ids.length != rows.length || !serves)
        refuse_shape(*positions,
                     "does not give each row of " + table.name + ", shape " +
                         shape_text(table.array.shape) + ", a position; it must be " +
                         (rows.sequences == 1 ? "" : shape_text({rows.length}) + " or ") +
                         shape_text(shape));
    std::vector<double> all;
    all.reserve(rows.sequences * rows.length);
    for (std::uint64_t sequence = 0; sequence < rows.sequences; ++sequence)
        for (std::uint64_t index = 0; index < rows.length; ++index)
            all.push_back(ids.at(sequence, index));
    return all;
}

// Frameworks without bfloat16 pass it on as integers.
std::string integers_text(Element element) {
    if (element != Element::uint16 && element != Element::int16)
        return "integers; it must hold floats";
    return std::string(to_string(element)) +
           ", not floats; if they are the bits of bfloat16: "
           "(x.view('uint16').astype('uint32') << 16).view('float32')";
}

}  // namespace

std::vector<NamedArray> positions_by_axis(const NamedArray& positions, const DumpHints& asked,
                                          const Shape& rows) {
    const Shape& shape = positions.array.shape;
    const std::uint64_t count = asked.spec ? axis_count(asked.spec->axes) : 0;
    const auto first_three = [](const NamedArray& all) {
        return std::vector{slice(all, 0, 0), slice(all, 0, 1), slice(all, 0, 2)};
    };
    for (const std::uint64_t axes : {std::uint64_t{4}, std::uint64_t{3}})
        if (count == 3 || (!asked.spec && axes == 4))
            if (const auto on_axes = unflattened_axes(positions, rows, axes))
                return first_three(*on_axes);
    const bool is_batch = fits(shape, rows) && are_in_order(shape, rows);
    if (count == 3 && shape.size() == 2 && shape[0] == 4 && !is_batch && fits({shape[1]}, rows))
        return first_three(positions);
    if (count == 1 || shape.size() < 2 || shape.size() > 3 || positions.array.size() == 0)
        return {positions};
    if (!asked.spec && may_have_a_batch(asked) && fits(shape, rows)) return {positions};
    if (!asked.spec && shape.size() == 2 && shape[1] == 1) return {positions};  // a decode step
    if (!asked.spec && shape.size() == 2 && are_equal(position_ids(positions)))
        return {slice(positions, 0, 0)};  // of text, on all axes
    // modeling_qwen2_vl.py of transformers puts positions of the text before those of time, height
    // and width: [4, B, L]
    if (count == 3 && shape.size() == 3 && shape[0] == 4 && fits(without(shape, 0), rows))
        return {slice(positions, 0, 1), slice(positions, 0, 2), slice(positions, 0, 3)};
    const auto could_be = [&](std::size_t axis) {
        const std::uint64_t length = shape[axis];
        return asked.spec ? length == count : length >= 2 && length <= 4;
    };
    // [A, B, L], [B, L, A], or [B, A, L] as ChatGLM-6B has them
    const std::initializer_list<std::size_t> places{0, shape.size() - 1, 1};
    const auto find = [&](bool in_order) {
        return std::ranges::find_if(places, [&](std::size_t axis) {
            const Shape ids = without(shape, axis);
            return could_be(axis) && fits(ids, rows) && (!in_order || are_in_order(ids, rows));
        });
    };
    const auto* found = find(true);
    if (found == places.end()) found = find(false);
    if (found == places.end() && !could_be(0)) return {positions};
    const std::size_t axis = found == places.end() ? 0 : *found;
    std::vector<NamedArray> all;
    for (std::uint64_t a = 0; a < shape[axis]; ++a) all.push_back(slice(positions, axis, a));
    return all;
}

std::vector<CellOrder::Cell> CellOrder::cells(std::uint64_t height, std::uint64_t width) const {
    std::vector<Cell> all;
    for (std::uint64_t top = 0; top < height; top += window)
        for (std::uint64_t left = 0; left < width; left += window)
            for (std::uint64_t r = top; r < std::min(top + window, height); r += block)
                for (std::uint64_t c = left; c < std::min(left + window, width); c += block)
                    for (std::uint64_t k = 0; k < block * block; ++k)
                        all.emplace_back(r + k / block, c + k % block);
    return all;
}

std::span<const CellOrder> cell_orders() {
    constexpr std::uint64_t whole_frame = std::uint64_t{1} << 32;
    static constexpr CellOrder orders[] = {{whole_frame, 1, ""},
                                           {whole_frame, 2, " in blocks of 2 × 2"},
                                           {8, 2, " in windows of 8 × 8 and blocks of 2 × 2"}};
    return orders;
}

std::string name_in_file(const std::string& name) { return name.substr(name.rfind(':') + 1); }

std::string shape_text(const Shape& shape) { return "[" + join(shape) + "]"; }

void refuse_shape(const NamedArray& array, const std::string& what) {
    throw InputError(array.name + ": shape " + shape_text(array.array.shape) + " " + what);
}

void require_one_shape(const NamedArray& first, const NamedArray& second) {
    for (const NamedArray* named : {&first, &second}) {
        if (!named->array.format())
            throw InputError(named->name + ": holds " + integers_text(named->array.element));
        if (named->array.size() == 0) refuse_shape(*named, "holds nothing");
    }
    if (first.array.shape != second.array.shape)
        throw InputError(first.name + " is " + shape_text(first.array.shape) + " but " +
                         second.name + " is " + shape_text(second.array.shape) +
                         "; they must have the same shape");
}

void require_alike(const NamedArray& first, const NamedArray& second) {
    require_one_shape(first, second);
    if (first.array.element != second.array.element)
        throw InputError(first.name + " is " + std::string(to_string(first.array.element)) +
                         " but " + second.name + " is " +
                         std::string(to_string(second.array.element)) +
                         "; they must have one format: convert one, as by astype");
}

void require_rows(const NamedArray& dump, std::uint64_t rows) {
    if (rows > max_dump_rows)
        refuse_shape(dump,
                     "has " + decimal(rows) + " rows; the limit is " + decimal(max_dump_rows));
}

PositionIds position_ids(const NamedArray& positions) {
    const std::string what = "is not [L], [1, L] or [B, L]";
    if (positions.array.size() == 0) refuse_shape(positions, what);
    PositionIds ids = sequences_of(positions, positions.array.shape, what);
    ids.values = real_positions(positions);
    return ids;
}

bool do_count_up(const std::vector<double>& ids) {
    const auto is_gap = [](double a, double b) { return b != a + 1; };
    return std::ranges::adjacent_find(ids, is_gap) == ids.end();
}

bool are_equal(const PositionIds& ids) {
    const auto first = ids.values.begin(), second = first + static_cast<std::ptrdiff_t>(ids.length);
    return std::equal(second, ids.values.end(), first);
}

std::vector<std::vector<double>> table_positions(const NamedArray& table, const Shape& rows,
                                                 const std::optional<NamedArray>& positions,
                                                 const DumpHints& asked) {
    if (!positions) return {on_one_axis(table, rows, positions)};
    // a table with rows for each axis: a row of axis a serves the pairs of axis a
    if (without_ones(rows) == without_ones(positions->array.shape) && positions->array.size() > 0)
        return {real_positions(*positions)};
    std::vector<std::vector<double>> by_axis;
    for (const NamedArray& on_axis : positions_by_axis(*positions, asked, rows))
        by_axis.push_back(on_one_axis(table, rows, on_axis));
    return by_axis;
}

}  // namespace rope::io
