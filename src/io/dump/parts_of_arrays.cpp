// Parts of arrays and other orders of axes: dimensions of each head, q and k of one array of q, k
// and v, and vectors whose last axes are the dimensions of a head and the positions, [..., d, S].
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope::io {
namespace {

// One row of q, k and v in one array: `q` dimensions, then `k` of keys and as many of values.
struct FusedRow {
    std::uint64_t q, k;
    std::uint64_t head_dim = 0;  // 0: the parts stay heads one after the other in one axis
    bool is_group = false;       // of the heads that share a key
};

// The config's heads of queries and of keys, which are as many if it does not say; 0 without them.
struct Heads {
    std::uint64_t queries = 0, keys = 0;
};

Heads heads_of(const DumpHints& asked) {
    if (!asked.spec || asked.heads.empty()) return {};
    return {asked.heads[0], asked.key_heads.empty() ? asked.heads[0] : asked.key_heads[0]};
}

// The rows that the shape may have with all heads, or with those of one of several devices, likely
// ones first. Devices share a key head where there are more of them. Groups of heads that share a
// key lie in one axis, or on an axis of the groups.
std::vector<FusedRow> fused_rows(const Shape& shape, const DumpHints& asked) {
    const std::size_t axes = shape.size();
    std::vector<FusedRow> all;
    if (axes < 2) return all;
    const bool is_wider = asked.spec && shape.back() > asked.spec->head_dim + asked.nope_dimensions;
    if (axes > 3 && shape[axes - 3] == 3 && !is_wider) {
        const std::uint64_t of_part = shape[axes - 2] * shape.back();
        all.push_back({of_part, of_part, shape.back()});
    }
    const auto [heads, keys] = heads_of(asked);
    bool has_groups = false, are_on_an_axis = false;
    for (std::uint64_t devices = 1; devices <= heads; ++devices) {
        if (heads % devices != 0 || (keys % devices != 0 && devices % keys != 0)) continue;
        const std::uint64_t d = asked.spec->head_dim, of_q = heads / devices,
                            of_k = std::max<std::uint64_t>(1, keys / devices);
        if (shape.back() == (of_q + 2 * of_k) * d) all.push_back({of_q * d, of_k * d});
        if (heads % keys != 0 || keys % devices != 0) continue;
        const std::uint64_t width = heads / keys + 2;
        has_groups = has_groups || shape.back() == of_k * width * d;
        are_on_an_axis =
            are_on_an_axis || (shape.back() == width * d && shape[axes - 2] == of_k) ||
            (axes > 3 && shape.back() == d && shape[axes - 2] == width && shape[axes - 3] == of_k);
    }
    if (!has_groups && !are_on_an_axis) return all;
    const std::uint64_t d = asked.spec->head_dim;
    all.insert(are_on_an_axis ? all.begin() : all.end(), {heads / keys * d, d, d, true});
    return all;
}

// The row of heads of d dimensions whose first ones change, q and k, and as many last ones do not
// as keys do; or of groups that each end in a head of k, which changes, and one of v. A row of more
// than three axes may be one group.
std::optional<FusedRow> row_by_changes(const std::vector<bool>& change, std::uint64_t d,
                                       bool may_be_group) {
    if (change.size() % d != 0) return std::nullopt;
    std::vector<bool> heads;
    for (auto at = change.begin(); at != change.end(); at += static_cast<std::ptrdiff_t>(d))
        heads.push_back(std::count(at, at + static_cast<std::ptrdiff_t>(d), true) > 0);
    const auto first_v = std::ranges::find(heads, false);
    const auto moving = static_cast<std::uint64_t>(first_v - heads.begin()), count = heads.size(),
               still = static_cast<std::uint64_t>(std::ranges::count(heads, false));
    if (still == 0 || moving < 2) return std::nullopt;
    if (moving + still == count && moving > still && moving % still == 0)
        return FusedRow{(moving - still) * d, still * d, still == 1 && may_be_group ? d : 0,
                        still == 1 && may_be_group};
    for (std::uint64_t k = 0; k < count; ++k)
        if (heads[k] != (k % (moving + 1) != moving)) return std::nullopt;
    const bool are_whole = count == still * (moving + 1);
    return are_whole ? std::optional(FusedRow{(moving - 1) * d, d, d, true}) : std::nullopt;
}

// The share of the d dimensions that change in some of the heads that do, and not in all.
double share_of_unlike(const std::vector<bool>& change, std::uint64_t d) {
    std::vector<std::uint64_t> in_heads(d);
    std::uint64_t moving = 0;
    for (std::uint64_t first = 0; first < change.size(); first += d) {
        bool is_moving = false;
        for (std::uint64_t k = 0; k < d; ++k) {
            in_heads[k] += change[first + k] ? 1 : 0;
            is_moving = is_moving || change[first + k];
        }
        moving += is_moving ? 1 : 0;
    }
    const auto unlike = std::ranges::count_if(
        in_heads, [&](std::uint64_t heads) { return heads > 0 && heads < moving; });
    return static_cast<double>(unlike) / static_cast<double>(d);
}

// The row by changes in heads of the config's width, or of the width in which heads are most alike.
std::optional<FusedRow> row_by_changes(const DumpTensors::Two& qkv, const DumpHints& asked) {
    constexpr std::uint64_t widest = 512, narrowest = 32, step = 8;
    const Array &before = qkv.first.array, &after = qkv.second.array;
    const bool may_be_group = after.shape.size() > 3;
    std::vector<bool> change(after.shape.back());
    for (std::uint64_t k = 0; k < after.size(); ++k)
        if (const double moved = after.at(k) - before.at(k); std::isfinite(moved) && moved != 0)
            change[k % change.size()] = true;
    if (asked.spec) return row_by_changes(change, asked.spec->head_dim, may_be_group);
    if (asked.head_dim) return row_by_changes(change, *asked.head_dim, may_be_group);
    std::optional<FusedRow> likeliest;
    double least = HUGE_VAL;
    for (std::uint64_t d = widest; d >= narrowest; d -= step) {
        const auto row = row_by_changes(change, d, may_be_group);
        const double unlike = row ? share_of_unlike(change, d) : HUGE_VAL;
        if (unlike < least) likeliest = row;
        least = std::min(least, unlike);
    }
    return likeliest;
}

NamedArray part_of_row(const NamedArray& all, const FusedRow& row, std::uint64_t first,
                       std::uint64_t count) {
    NamedArray part = part_of_each(all, row.q + 2 * row.k, first, count);
    if (row.head_dim == 0) return part;
    Shape& shape = part.array.shape;
    const std::uint64_t heads = count / row.head_dim;
    if (row.is_group) {
        shape.pop_back();
        shape.back() *= heads;
    } else {
        shape.back() = heads;
    }
    shape.push_back(row.head_dim);
    return part;
}

// Throws InputError with the shapes that fit.
[[noreturn]] void refuse_qkv(const NamedArray& qkv, const DumpHints& asked) {
    std::string wanted = "[…, 3, heads, head_dim]";
    const auto [heads, keys] = heads_of(asked);
    if (heads != 0) {
        const std::string d = decimal(asked.spec->head_dim), of_keys = decimal(keys);
        wanted += ", […, (" + decimal(heads) + " + 2·" + of_keys + ")·" + d + "] or […, " +
                  of_keys + ", (" + decimal(heads / keys) + " + 2)·" + d + "]";
    }
    const std::string advice = " q and k, before and after, as separate arrays";
    if (heads != 0)  // no other width of heads fits the config
        throw OpenOrder(qkv.name + ": shape " + shape_text(qkv.array.shape) +
                        " is not q, k and v as " + wanted + " by the config; save" + advice);
    refuse_shape(qkv, "is not q, k and v as " + wanted +
                          ", and neither a config nor the values show its heads; give the config, "
                          "or save" +
                          advice);
}

// The sum of the squared differences, relative to that of the squares. Rows that are not finite do
// not count.
double movement(const DumpTensors::Two& values) {
    const Array &before = values.first.array, &after = values.second.array;
    double moved = 0, all = 0;
    for (std::uint64_t k = 0; k < before.size(); ++k) {
        const double x = before.at(k), difference = after.at(k) - x;
        if (!std::isfinite(difference)) continue;
        moved += difference * difference;
        all += x * x;
    }
    return moved == 0 ? 0 : moved / all;
}

NamedArray exchanged(const NamedArray& vectors) {
    Shape shape = vectors.array.shape, strides = strides_of(shape);
    for (Shape* one : {&shape, &strides}) std::swap(one->back(), (*one)[one->size() - 2]);
    return {vectors.name, strided_copy(vectors.array, std::move(shape), strides)};
}

}  // namespace

bool keep_norms(const Array& before, const Array& after) {
    constexpr std::uint64_t most = 64;     // vectors
    constexpr double most_apart = 0x1p-5;  // of squares, of bfloat16 numbers that are rounded twice
    const std::uint64_t length = before.shape.back(), count = before.size() / length;
    double factor = NAN;  // of squares
    for (std::uint64_t k = 0; k < std::min(count, most); ++k) {
        const std::uint64_t first = sampled_row(k, count, most) * length;
        double own = 0, other = 0;
        for (std::uint64_t i = first; i < first + length; ++i) {
            own += before.at(i) * before.at(i);
            other += after.at(i) * after.at(i);
        }
        if (own == 0 && other == 0) continue;
        if (std::isnan(factor)) factor = other / own;
        if (!(std::abs(factor * own - other) <= most_apart * other)) return false;
    }
    return true;
}

NamedArray part_of_each(const NamedArray& all, std::uint64_t width, std::uint64_t first,
                        std::uint64_t count) {
    Array part = strided_copy(all.array, {all.array.size() / width, count}, {width, 1}, first);
    Shape shape = all.array.shape;
    std::uint64_t last = shape.back();
    for (shape.pop_back(); last < width; shape.pop_back()) last *= shape.back();
    if (last > width) shape.push_back(last / width);
    shape.push_back(count);
    part.shape = std::move(shape);
    return {all.name, std::move(part)};
}

std::vector<FusedParts> parts_of_qkv(const DumpTensors::Two& qkv, const DumpHints& asked) {
    constexpr double most_moved = 0x1p-12;  // squares, of values that are rounded to bfloat16
    const Shape& shape = qkv.second.array.shape;
    if (qkv.first.array.shape != shape) refuse_qkv(qkv.second, asked);
    std::vector<FusedRow> rows = fused_rows(shape, asked);
    if (asked.heads.empty() && shape.size() > 1)
        if (auto row = row_by_changes(qkv, asked)) rows.push_back(*row);
    std::vector<FusedParts> likeliest;
    double least = HUGE_VAL;
    for (const FusedRow& row : rows) {
        const auto part = [&](std::uint64_t first, std::uint64_t count) {
            return DumpTensors::Two(part_of_row(qkv.first, row, first, count),
                                    part_of_row(qkv.second, row, first, count));
        };
        const double moved = movement(part(row.q + row.k, row.k));
        if (moved > least) continue;
        if (moved < least) likeliest.clear();
        const bool is_by_axis = row.head_dim != 0 && !row.is_group;
        least = moved;
        likeliest.push_back(
            {part(0, row.q), part(row.q, row.k), is_by_axis && shape.size() == 4 ? "shd" : ""});
    }
    if (likeliest.empty() || (!asked.spec && least > most_moved)) refuse_qkv(qkv.second, asked);
    if (least > most_moved)
        refuse_shape(qkv.second,
                     "is not q, k and v with v as before: v is rotated, too, or the heads lie in "
                     "another order; save q and k, before and after, as separate arrays");
    return likeliest;
}

void join_pairs(NamedArray& vectors, const std::vector<std::uint64_t>& widths) {
    Shape& shape = vectors.array.shape;
    if (shape.size() < 3 || shape.back() != 2) return;
    const std::uint64_t width = 2 * shape[shape.size() - 2];
    const auto is_width = [&](std::uint64_t n) { return std::ranges::count(widths, n) > 0; };
    if (is_width(2) || (!widths.empty() && !is_width(width))) return;
    shape.pop_back();
    shape.back() = width;
}

bool exchange_last_axes(NamedArray& before, NamedArray& after,
                        const std::vector<std::uint64_t>& widths, bool are_named) {
    const Shape& shape = after.array.shape;
    if (shape.size() < 2 || shape != before.array.shape || after.array.size() == 0 ||
        !before.array.format() || !after.array.format())
        return false;
    const std::uint64_t last = shape.back(), inner = shape[shape.size() - 2];
    const auto is_width = [&](std::uint64_t n) { return std::ranges::count(widths, n) > 0; };
    if (widths.empty() ? !are_named : !is_width(inner)) return false;
    NamedArray other_before = exchanged(before), other_after = exchanged(after);
    const bool along_last = keep_norms(before.array, after.array),
               along_inner = keep_norms(other_before.array, other_after.array);
    const bool may_be_heads = std::ranges::any_of(widths, [&](std::uint64_t width) {
        return last == width || (shape.size() <= 3 && last % width == 0);
    });
    const bool is_transposed = along_last == along_inner ? are_named || !may_be_heads : along_inner;
    if (!is_transposed) return false;
    before = std::move(other_before);
    after = std::move(other_after);
    return true;
}

}  // namespace rope::io
