#include <algorithm>
#include <cmath>
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

constexpr std::uint64_t most_sampled = 256;  // rows

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

// Axes before the lanes that may be the sequence and, where each has its own positions, the batch:
// as long as the positions, or without them every axis that is longer than 1.
std::vector<Axes> candidates(const Shape& shape, const std::optional<PositionIds>& ids) {
    std::vector<Axes> found;
    for (std::size_t sequence = 0; sequence + 1 < shape.size(); ++sequence) {
        if (ids ? shape[sequence] != ids->length : shape[sequence] == 1) continue;
        if (!ids || ids->sequences == 1) {
            found.push_back({sequence, std::nullopt});
            continue;
        }
        for (std::size_t batch = 0; batch + 1 < shape.size(); ++batch)
            if (batch != sequence && shape[batch] == ids->sequences) {
                found.push_back({sequence, batch});
                if (batch == 0) break;  // where people have it
            }
    }
    if (found.empty() && !ids && shape.size() >= 2) found.push_back({0, std::nullopt});
    return found;
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

std::uint64_t index_on(const Shape& shape, std::size_t axis, std::uint64_t row) {
    return row / stride(shape, axis) % shape[axis];
}

std::vector<std::uint64_t> row_positions(const Shape& shape, const Axes& axes,
                                         const PositionIds& ids, std::uint64_t rows) {
    std::vector<std::uint64_t> positions(rows);
    for (std::uint64_t row = 0; row < rows; ++row)
        positions[row] = ids.at(axes.batch ? index_on(shape, *axes.batch, row) : 0,
                                index_on(shape, axes.sequence, row));
    return positions;
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

// Two vectors at one position turn alike, so the angle between them stays: how far it does not,
// along every axis that would not be the sequence's or the batch's. Nothing where none is left.
std::optional<double> turn_between(const Array& before, const Array& after, const Axes& axes) {
    const Shape& shape = before.shape;
    const std::uint64_t rows = before.size() / shape.back();
    const std::uint64_t step = 1 + (rows - 1) / most_sampled;
    double sum = 0;
    std::uint64_t compared = 0;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
        if (axis == axes.sequence || axis == axes.batch || shape[axis] == 1) continue;
        for (std::uint64_t row = 0; row < rows; row += step) {
            if (index_on(shape, axis, row) + 1 == shape[axis]) continue;
            const std::uint64_t other = row + stride(shape, axis);
            const double turned = std::abs(cosine(after, row, other) - cosine(before, row, other));
            if (!std::isfinite(turned)) continue;
            sum += turned;
            ++compared;
        }
    }
    if (compared == 0) return std::nullopt;
    return sum / static_cast<double>(compared);
}

// The candidate along whose heads vectors turn alike, if one does and the others do not.
std::optional<Axes> turning_alike(const Array& before, const Array& after,
                                  const std::vector<Axes>& found) {
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

Axes guessed_axes(const NamedArray& before, const NamedArray& after,
                  const std::optional<NamedArray>& positions,
                  const std::optional<PositionIds>& ids) {
    const Shape& shape = before.array.shape;
    const std::vector<Axes> found = candidates(shape, ids);
    if (found.empty())
        refuse(before, positions ? "has no axis as long as " + positions->name + ", shape " +
                                       shape_text(positions->array.shape)
                                 : "has no axis for positions");
    // q of one head in a batch of one: every choice among axes of length 1 is the same
    if (found.size() == 1 || (ids && ids->length == 1 && ids->sequences == 1)) return found.front();
    if (const auto told = turning_alike(before.array, after.array, found)) return *told;
    refuse(before, std::string("leaves open which axis is the sequence; say so with --axes, ") +
                       "such as " + (shape.size() == 3 ? "shd" : "bhsd or bshd"));
}

std::vector<std::uint64_t> positions_on_one_axis(const NamedArray& before, const NamedArray& after,
                                                 const std::optional<NamedArray>& positions,
                                                 std::string_view axes_text) {
    const Shape& shape = before.array.shape;
    std::optional<PositionIds> ids;
    if (positions) ids = position_ids(*positions);
    const Axes axes = axes_text.empty() ? guessed_axes(before, after, positions, ids)
                                        : named_axes(before, axes_text);
    if (!ids) ids = counting_positions(shape[axes.sequence]);
    if (positions) require_positions_fit(before, *positions, axes, *ids);
    return row_positions(shape, axes, *ids, before.array.size() / shape.back());
}

StridedRows rows_of(const Array& vectors) {
    return {vectors.element, vectors.bytes, 0, vectors.shape.back(), 1, vectors.owner};
}

}  // namespace

RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const std::optional<NamedArray>& positions, const Asked& asked) {
    require_alike(before, after);
    const Shape& shape = before.array.shape;
    if (asked.spec && (shape.size() < 2 || shape.back() != asked.spec->head_dim))
        refuse(before, "does not end in head_dim = " +
                           decimal(std::uint64_t{asked.spec->head_dim}) + " lanes after the rows");
    if (shape.size() < 2 || shape.back() > max_head_dim)
        refuse(before, "is not rows of 1 to 65536 lanes");
    RotatedDump dump{{},
                     rows_of(before.array),
                     rows_of(after.array),
                     *before.array.format(),
                     before.name + ", " + after.name,
                     {}};
    std::vector<std::optional<NamedArray>> by_axis{positions};
    if (positions) {
        by_axis.clear();
        const Shape rows(shape.begin(), shape.end() - 1);
        for (NamedArray& one :
             positions_by_axis(*positions, axes_of_positions(*positions, asked, rows)))
            by_axis.emplace_back(std::move(one));
    }
    dump.positions = positions_on_one_axis(before, after, by_axis[0], asked.axes);
    for (std::size_t a = 1; a < by_axis.size(); ++a)
        dump.more_positions.push_back(positions_on_one_axis(before, after, by_axis[a], asked.axes));
    return dump;
}

}  // namespace rope::io
