#include "io/shape/axis_turns.hpp"

#include <algorithm>
#include <cmath>

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

constexpr std::uint64_t most_sampled = 256;  // rows

// Row k of those sampled: of many, by the golden ratio, which is in step with no axis.
std::uint64_t sampled_row(std::uint64_t k, std::uint64_t rows) {
    if (rows <= most_sampled) return k;
    const double turns = static_cast<double>(k) * 0.6180339887498949;
    return static_cast<std::uint64_t>((turns - std::floor(turns)) * static_cast<double>(rows));
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
    // half the axis apart, where positions turn fast pairs and slow ones unlike each other
    const std::uint64_t near = length / 2, far = length > 2 ? near + 1 : near;
    std::vector<double> turns;
    for (std::uint64_t k = 0; k < std::min(rows, most_sampled); ++k) {
        const std::uint64_t row = sampled_row(k, rows);
        if (!counts(row)) continue;
        const std::uint64_t index = index_on(before.shape, axis, row);
        double least = INFINITY;
        for (const std::uint64_t apart : {near, far}) {
            const std::uint64_t other = row - index * step + (index + apart) % length * step;
            if (!counts(other)) continue;
            const double turned = std::abs(cosine(after, row, other) - cosine(before, row, other));
            if (turned < least) least = turned;
        }
        if (std::isfinite(least)) turns.push_back(least);
    }
    if (turns.empty()) return std::nullopt;
    const auto told =
        turns.begin() + static_cast<std::ptrdiff_t>(counted.fifths * turns.size() / 5);
    std::nth_element(turns.begin(), told, turns.end());
    return *told;
}

}  // namespace rope::io
