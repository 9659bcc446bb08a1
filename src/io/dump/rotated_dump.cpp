// Vectors before and after a rotation, as rows with their positions.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/vectors.hpp"
#include "rope/exact/element.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/rows/printed_digits.hpp"

namespace rope::io {
namespace {

// The axes of rows of `width`, without those of length 1: [L, H·d] as [L, H, d].
std::optional<Shape> rows_of_width(Shape shape, std::uint64_t width) {
    if (shape.empty() || width == 0 || shape.back() % width != 0) return std::nullopt;
    shape.back() /= width;
    std::erase(shape, std::uint64_t{1});
    return shape;
}

// For each axis of an array the axis of another array that it is, and how many of its indices share
// an index of that axis.
struct Order {
    std::vector<std::size_t> axis;
    std::vector<std::uint64_t> repeats;
    bool is_repeated = false;
};

std::optional<Order> order_of(const Shape& to, const Shape& from, std::vector<std::size_t> axis) {
    Order order{std::move(axis), {}};
    for (std::size_t k = 0; k < to.size(); ++k) {
        const std::uint64_t length = from[order.axis[k]], repeats = to[k] / length;
        if (to[k] % length != 0 || (repeats > 1 && order.is_repeated)) return std::nullopt;
        order.repeats.push_back(repeats);
        order.is_repeated = order.is_repeated || repeats > 1;
    }
    return order;
}

// The orders of axes that fit: as they are, then those without repeats, in which a batch stays
// where it is first, then those with repeats.
std::vector<Order> orders_between(const Shape& to, const Shape& from) {
    std::vector<Order> all;
    if (to.size() != from.size() || to.size() > 4) return all;
    std::vector<std::size_t> axis = numbers_below(to.size());
    do {
        if (auto order = order_of(to, from, axis)) all.push_back(*std::move(order));
    } while (std::ranges::next_permutation(axis).found);
    std::ranges::stable_sort(all, {}, &Order::is_repeated);
    return all;
}

// The axis of one head, counted without axes of length 1 in `to`, which has several: where it is in
// shapes of as many axes, else the first.
std::ptrdiff_t head_axis(const Shape& to, const Shape& from) {
    for (std::size_t k = 0; k < to.size() && to.size() == from.size(); ++k)
        if (from[k] == 1 && to[k] > 1)
            return std::ranges::count_if(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(k),
                                         [](std::uint64_t length) { return length > 1; });
    return 0;
}

// `before`, whose rows have the axes `from`, in the shape `after`, whose rows have the axes `to`.
NamedArray in_order(const NamedArray& before, const Shape& after, const Shape& to,
                    const Shape& from, const Order& order) {
    const std::uint64_t width = std::min(after.back(), before.array.shape.back());
    const Shape distances = strides_of(from);
    Shape shape, strides;  // each index of an axis that is repeated, then the repeats
    for (std::size_t k = 0; k < to.size(); ++k) {
        const std::uint64_t repeats = order.repeats[k];
        shape.insert(shape.end(), {to[k] / repeats, repeats});
        strides.insert(strides.end(), {distances[order.axis[k]] * width, 0});
    }
    shape.push_back(width);
    strides.push_back(1);
    Array array = strided_copy(before.array, std::move(shape), strides);
    array.shape = after;
    return {before.name, std::move(array)};
}

// `before` with the axes of `after`, whose rows are the same: axes in another order, of length 1 or
// not, several heads on one axis, and one head for several that follow each other (repeat_kv).
// Where lengths leave a choice, the first order in which a rotation keeps norms. `before` itself if
// rows correspond in no way.
NamedArray arranged_as(const NamedArray& after, const NamedArray& before) {
    const Shape &to_shape = after.array.shape, &from_shape = before.array.shape;
    if (to_shape.empty() || from_shape.empty() || after.array.size() == 0 ||
        before.array.size() == 0 || !before.array.format() || !after.array.format() ||
        (to_shape == from_shape && keep_norms(before.array, after.array)))
        return before;
    const std::uint64_t width = std::min(to_shape.back(), from_shape.back());
    const auto to = rows_of_width(to_shape, width);
    auto from = rows_of_width(from_shape, width);
    if (!to || !from) return before;
    if (to->size() == from->size() + 1)
        from->insert(from->begin() + head_axis(to_shape, from_shape), 1);
    const std::vector<Order> orders = orders_between(*to, *from);
    if (orders.empty()) return before;
    const NamedArray first = in_order(before, to_shape, *to, *from, orders[0]);
    for (const Order& order : orders) {
        if (orders.size() == 1) break;
        NamedArray arranged = in_order(before, to_shape, *to, *from, order);
        if (keep_norms(arranged.array, after.array)) return arranged;
    }
    return first;
}

// The grid of heads on one axis or on neighbouring axes; of other heads there is none.
RowGrid grid_of(const Shape& shape, const std::string& axes) {
    RowGrid grid;
    grid.batch = row_axis(shape, axis_of(axes, 'b'));
    grid.sequence = row_axis(shape, axis_of(axes, 's'));
    bool between = false;  // another axis came after one of heads
    for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
        const RowAxis own = row_axis(shape, axis);
        if (axes[axis] == 'h') {
            if (grid.head.length == 1)
                grid.head = own;
            else if (!between || own.length == 1)
                grid.head.length *= own.length;
            else
                return {};
        }
        between = grid.head.length > 1 && axes[axis] != 'h';
    }
    return grid;
}

StridedRows rows_of(const Array& vectors) {
    return {vectors.element, vectors.bytes, 0, vectors.shape.back(), 1, vectors.owner};
}

// Turns [tokens, heads·d] and its letters into [tokens, heads, d], unless there is an axis of
// heads. [B, 1, tokens, heads·d] are channels of one image.
void split_fused_heads(Vectors& vectors, std::uint64_t head_dim) {
    const Shape& shape = vectors.shape();
    if (vectors.axes.empty() && shape.size() == 4 && shape[1] == 1 && shape.back() != head_dim &&
        shape.back() % head_dim == 0)
        for (NamedArray* one : {&vectors.before, &vectors.after})
            one->array.shape.erase(one->array.shape.begin() + 1);
    if (vectors.axes.size() == shape.size() && vectors.axes.find('h') != std::string::npos) return;
    if (shape.size() < 2 || shape.size() > 3) return;
    if (shape.back() <= head_dim || shape.back() % head_dim != 0) return;
    if (vectors.axes.size() == shape.size() && vectors.axes.ends_with('d'))
        vectors.axes.insert(vectors.axes.size() - 1, 1, 'h');
    vectors.are_fused = true;
    for (NamedArray* one : {&vectors.before, &vectors.after}) {
        one->array.shape.back() /= head_dim;
        one->array.shape.push_back(head_dim);
    }
}

// "bhsd", "s(hd)", and where the axes are from, which follows its reason
Assumption axes_read(const Vectors& vectors, std::string axes) {
    const Shape& shape = vectors.shape();
    const std::size_t heads = shape.size() - 2;
    std::string from;
    if (std::ranges::count(axes, 'h') > 1)
        from += "; each axis called h counts as heads: " + shape_text(shape);
    if (vectors.are_fused) {
        axes.insert(heads, 1, '(');
        axes += ')';
        from += "; " + decimal(shape[heads]) + " heads of head_dim = " + decimal(shape.back());
    }
    return {"axes", std::move(axes), std::move(from)};
}

// Heads of an indexer, as DeepSeek-V3.2's, are wider than the config's and rotate in part.
void require_no_indexer(const NamedArray& vectors, const DumpHints& asked) {
    const auto [heads, head_dim] = asked.index_heads;
    const Shape& shape = vectors.array.shape;
    if (!asked.spec || head_dim == 0 || head_dim == asked.spec->head_dim || shape.size() < 2 ||
        shape.back() != head_dim || std::ranges::count(shape, heads) == 0)
        return;
    refuse_shape(vectors,
                 "is that of the indexer's heads, by index_n_heads and index_head_dim; "
                 "check them with --dim " +
                     decimal(head_dim) + " --rotary-dim " + decimal(asked.spec->rotary_dim) +
                     " and --layout half_split or interleaved");
}

void require_dimensions(const NamedArray& vectors, const DumpHints& asked) {
    const Shape& shape = vectors.array.shape;
    const bool is_of_tower =
        !shape.empty() && asked.tower.starts_with("--dim " + decimal(shape.back()) + " ");
    if (asked.spec && (shape.size() < 2 || shape.back() != asked.spec->head_dim))
        refuse_shape(vectors,
                     "ends neither in head_dim = " + decimal(asked.spec->head_dim) +
                         " dimensions nor in several heads of them; " +
                         (is_of_tower ? "the heads of the vision tower have as many: check them "
                                        "with " +
                                            asked.tower + ", without the config"
                                      : "if a part of each head rotates, give the head's size as "
                                        "--dim, and the part's as --rotary-dim (and --rope "
                                        "rotary_offset=N)"));
    if (shape.size() < 2 || shape.back() > max_head_dim)
        refuse_shape(vectors, "is not rows of 1 to 65536 dimensions");
    require_rows(vectors, vectors.array.size() / shape.back());
}

// Rounding to 8 bits makes a right and a wrong rotation equal.
void require_no_float8(const NamedArray& before, const NamedArray& after,
                       std::uint64_t dimensions) {
    const std::uint64_t rows = before.array.size() / dimensions;
    const auto bits = eight_bits_of(rows_of(after.array), rows, dimensions);
    if (!bits || eight_bits_of(rows_of(before.array), rows, dimensions) == bits) return;
    const std::string number =
        bits->format == "int8"
            ? "whole multiple of a scale, as an int8 cache has them"
            : std::string(bits->format) + " number" + (bits->is_scaled ? " times one scale" : "");
    throw InputError(after.name + ": every value is a " + number + ", which " + before.name +
                     " is not; a cache of 8 bits is not checked: save the vectors before they are "
                     "quantised");
}

// Whether values are whole multiples of largest/steps from `from` on, and many and different enough
// to show these steps.
bool show_steps(const std::vector<double>& values, double from, double largest, double steps) {
    constexpr double rounding = 0x1p-12;  // of a float32 in steps
    std::set<double> distinct;
    std::size_t others = 0;
    for (const double value : values) {
        const double in_steps = (value - from) / largest * steps;
        if (!(std::abs(in_steps - std::nearbyint(in_steps)) <= rounding)) return false;
        distinct.insert(value);
        others += std::abs(in_steps) > 0.5 ? 1 : 0;
    }
    return distinct.size() > 2 && static_cast<double>(values.size()) > steps / 8 &&
           4 * others >= values.size();
}

// The bits of values that are multiples of one step, from 0 or from the least value on.
std::optional<int> bits_of(const std::vector<double>& values) {
    if (values.size() < 16) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(values);
    const double largest = std::max(std::abs(least), std::abs(most)), width = most - least;
    if (!(largest > 0) || !std::isfinite(largest)) return std::nullopt;
    for (int bits = 2; bits <= 8; ++bits) {
        const double levels = std::ldexp(1.0, bits), half = levels / 2;
        if (show_steps(values, 0, largest, half - 1) || show_steps(values, 0, largest, half) ||
            (width > 0 && show_steps(values, least, width, levels - 1)))
            return bits;
    }
    return std::nullopt;
}

// Groups of `size` values that may share a step.
struct Groups {
    std::uint64_t count, size;
    std::function<double(std::uint64_t group, std::uint64_t k)> at;

    // The values of a group; none if the first few thousand are more than 8 bits can hold.
    std::vector<double> values_of(std::uint64_t group) const {
        constexpr std::uint64_t few = 4096;
        constexpr std::size_t most_distinct = 257;
        std::vector<double> values;
        for (std::uint64_t k = 0; k < size; ++k) {
            values.push_back(at(group, k));
            if (k + 1 == few && std::set(values.begin(), values.end()).size() > most_distinct)
                return {};
        }
        return values;
    }

    // The most bits of any sampled group; nothing unless each is multiples of one step. Groups of
    // zeros show none; if they are the majority, the vectors are sparse.
    std::optional<int> bits() const {
        constexpr std::uint64_t most_groups = 64;  // sampled
        int most = 0, shown = 0, zero = 0;
        for (std::uint64_t group = 0; group < count; group += 1 + count / most_groups) {
            const std::vector<double> values = values_of(group);
            const bool is_zero =
                !values.empty() && std::ranges::count(values, 0) == std::ssize(values);
            ++(is_zero ? zero : shown);
            if (is_zero) continue;
            const auto own = bits_of(values);
            if (!own) return std::nullopt;
            most = std::max(most, *own);
        }
        return shown > zero ? std::optional(most) : std::nullopt;
    }
};

// "4-bit steps in blocks of 32 dimensions": the steps of 2 to 8 bits, with or without a zero point,
// that the values of a block of a row (q8_0, q4_0), of a row, of a head, or of one dimension of a
// head (KIVI) have. Nothing if values have no steps, are fewer than 16 for each step, or were
// rounded to 16 bits, which hides steps.
std::optional<std::string> quantisation_of(const Array& vectors, const RowGrid& grid) {
    const std::uint64_t width = vectors.shape.back(), rows = vectors.size() / width;
    const auto words_of = [](const Groups& groups, const std::string& where) {
        const auto bits = groups.bits();
        return bits ? std::optional(decimal(std::uint64_t(*bits)) + "-bit steps in " + where)
                    : std::nullopt;
    };
    for (const std::uint64_t block : {std::uint64_t{32}, std::uint64_t{64}, width}) {
        if (width % block != 0) continue;
        const auto at = [&](std::uint64_t group, std::uint64_t k) {
            return vectors.at(group * block + k);
        };
        if (auto found = words_of({rows * (width / block), block, at},
                                  "blocks of " + decimal(block) + " dimensions"))
            return found;
    }
    const std::uint64_t heads = grid.batch.length * grid.head.length, length = grid.sequence.length;
    if (heads * length != rows) return std::nullopt;
    const auto value = [&](std::uint64_t head, std::uint64_t index, std::uint64_t k) {
        const std::uint64_t row = head / grid.head.length * grid.batch.stride +
                                  head % grid.head.length * grid.head.stride +
                                  index * grid.sequence.stride;
        return vectors.at(row * width + k);
    };
    const auto in_head = [&](std::uint64_t head, std::uint64_t k) {
        return value(head, k / width, k % width);
    };
    const auto in_dimension = [&](std::uint64_t group, std::uint64_t k) {
        return value(group / width, k, group % width);
    };
    if (auto found = words_of({heads, length * width, in_head}, "each head")) return found;
    return words_of({heads * width, length, in_dimension}, "each dimension");
}

// The largest error of printed vectors: half a unit of the last digit of q_rot, and of q, of which
// each dimension of q_rot has two; 0 if q_rot was not printed.
double printed_rounding(const Vectors& vectors) {
    const auto error_of = [&](const Array& array) {
        const StridedRows rows = rows_of(array);
        const std::uint64_t width = array.shape.back();
        return printed_error({&rows}, array.size() / width, width, vectors.format);
    };
    const double after = error_of(vectors.after.array);
    return after > 0 ? after + std::numbers::sqrt2 * error_of(vectors.before.array) : 0;
}

// Zeroes the rows that are padding: a zero vector does not determine a rotation.
Array zero_but(const Array& vectors, const std::vector<double>& kept) {
    const std::size_t bytes = vectors.shape.back() * bytes_of(vectors.element);
    const auto own =
        std::make_shared<std::vector<std::byte>>(vectors.bytes.begin(), vectors.bytes.end());
    for (std::size_t row = 0; row < kept.size(); ++row)
        if (kept[row] == 0) std::memset(own->data() + row * bytes, 0, bytes);
    return {vectors.shape, vectors.element, *own, own};
}

}  // namespace

void require_no_steps(const NamedArray& before, const NamedArray& after, const RowGrid& grid) {
    const auto steps = quantisation_of(after.array, grid);
    if (!steps || quantisation_of(before.array, grid)) return;
    throw InputError(after.name + ": every value is a whole multiple of " + *steps +
                     ", as in a quantised cache, which " + before.name +
                     " is not; save the vectors before they are quantised");
}

Vectors prepared_vectors(const NamedArray& given, const NamedArray& after, const DumpHints& asked) {
    Vectors vectors{arranged_as(after, given), after, asked.axes};
    require_one_shape(vectors.before, after);
    require_no_indexer(vectors.before, asked);
    if (asked.splits_heads && (asked.spec || asked.head_dim))
        split_fused_heads(vectors, asked.spec ? asked.spec->head_dim : *asked.head_dim);
    require_dimensions(vectors.before, asked);
    const std::uint64_t dimensions = vectors.shape().back();
    require_no_float8(vectors.before, vectors.after, dimensions);
    vectors.format = *after.array.format();
    if (const auto narrow = narrower_format(rows_of(vectors.after.array),
                                            after.array.size() / dimensions, dimensions)) {
        vectors.stored_in = vectors.format;
        vectors.format = *narrow;
    }
    vectors.printed = printed_rounding(vectors);
    return vectors;
}

RotatedDump rows_of(const Vectors& vectors, const std::string& axes) {
    RotatedDump dump;
    dump.format = vectors.format;
    dump.stored_in = vectors.stored_in;
    dump.origin = vectors.before.name + ", " + vectors.after.name;
    dump.grid = grid_of(vectors.shape(), axes);
    dump.before = rows_of(vectors.before.array);
    dump.after = rows_of(vectors.after.array);
    NamedArray in_file = vectors.before;
    Shape& shape = in_file.array.shape;
    const std::uint64_t rows = in_file.array.size() / shape.back();
    if (vectors.are_fused) {
        shape[shape.size() - 2] *= shape.back();
        shape.pop_back();
    }
    dump.printed = vectors.printed;
    dump.read_as = {axes_read(vectors, axes), rows_read(rows, in_file)};
    const Element of_before = vectors.before.array.element;
    if (of_before != vectors.after.array.element)
        dump.read_as.push_back(
            {"format", std::string(to_string(dump.format)),
             vectors.after.name + "; " + vectors.before.name + " is " +
                 std::string(to_string(of_before)) +
                 (bytes_of(of_before) == 2 ? ": if it was rounded when it was saved, save both in "
                                             "one format"
                                           : "")});
    return dump;
}

void leave_out(RotatedDump& dump, const Vectors& vectors, const std::vector<double>& kept,
               const std::string& by) {
    const auto padding = static_cast<std::uint64_t>(std::ranges::count(kept, 0));
    if (padding == 0 || padding == kept.size()) return;
    dump.before = rows_of(zero_but(vectors.before.array, kept));
    dump.after = rows_of(zero_but(vectors.after.array, kept));
    dump.padding = padding;
    dump.read_as.insert(dump.read_as.begin() + 3, padding_read(padding, kept.size(), by));
}

RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const StatedPositions& positions, const DumpHints& asked) {
    return read_vectors(prepared_vectors(before, after, asked), {{positions}}, {}, asked).dump;
}

}  // namespace rope::io
