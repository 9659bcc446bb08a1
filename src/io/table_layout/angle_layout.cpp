// Angles m·θ -> their cosines and sines.
#include <array>
#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "io/shape/position_ids.hpp"
#include "io/table_layout/table_layout.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

constexpr double largest_angle = 0x1p33;
constexpr std::size_t block = 256;

// A double is the sum of three floats, exactly; so e^{ix} is the product of three rotations.
struct Block {
    std::array<float, block> part;
    std::array<double, block> rest, cos, sin, part_cos, part_sin;

    void turn(std::size_t n) {
        for (std::size_t k = 0; k < n; ++k) {
            part[k] = static_cast<float>(rest[k]);
            rest[k] -= static_cast<double>(part[k]);
        }
        kernels().cos_sin_of_angles(n, part.data(), part_cos.data(), part_sin.data());
        for (std::size_t k = 0; k < n; ++k) {
            const double c = cos[k], s = sin[k];
            cos[k] = c * part_cos[k] - s * part_sin[k];
            sin[k] = s * part_cos[k] + c * part_sin[k];
        }
    }
};

// Angles that no position could have come to are not numbers.
void fill(const std::vector<double>& angle, double amplitude, std::vector<double>& cos,
          std::vector<double>& sin) {
    Block b;
    for (std::size_t begin = 0; begin < angle.size(); begin += block) {
        const std::size_t n = std::min(block, angle.size() - begin);
        bool is_sum = false;
        for (std::size_t k = 0; k < n; ++k) {
            const double x = angle[begin + k];
            const bool usable = std::abs(x) < largest_angle;
            b.rest[k] = usable ? x : 0;
            b.cos[k] = usable ? amplitude : std::numeric_limits<double>::quiet_NaN();
            b.sin[k] = usable ? 0 : std::numeric_limits<double>::quiet_NaN();
            is_sum |= usable && static_cast<double>(static_cast<float>(x)) != x;
        }
        for (int part = 0; part < (is_sum ? 3 : 1); ++part) b.turn(n);
        cos.insert(cos.end(), b.cos.begin(), b.cos.begin() + static_cast<std::ptrdiff_t>(n));
        sin.insert(sin.end(), b.sin.begin(), b.sin.begin() + static_cast<std::ptrdiff_t>(n));
    }
}

struct Columns {
    std::uint64_t pairs, step;
};

// Once, as cat(f, f), or as f0 f0 f1 f1.
Columns find_columns(const NamedArray& angles, const DumpHints& asked) {
    const std::vector<std::uint64_t>& shape = angles.array.shape;
    const std::uint64_t columns = shape.empty() ? 0 : shape.back();
    const bool is_half = asked.spec ? columns == asked.spec->pairs() : false;
    const bool fits = asked.spec ? is_half || columns == asked.spec->rotary_dim
                                 : columns > 0 && columns <= max_head_dim;
    if (shape.size() < 2 || !fits)
        throw InputError(angles.name + ": shape " + shape_text(shape) +
                         (asked.spec ? " does not end in " + decimal(asked.spec->pairs()) + " or " +
                                           decimal(asked.spec->rotary_dim) + " angles per row"
                                     : " is not rows of angles"));
    if (is_half) return {columns, 1};
    if (columns % 2 == 0) {
        const auto halves = copy_difference(angles.array, Copies::halves);
        if (!halves) return {columns / 2, 1};
        const auto neighbours = copy_difference(angles.array, Copies::neighbours);
        if (!neighbours) return {columns / 2, 2};
        if (asked.spec)
            throw InputError(angles.name + ": columns " + decimal(halves->first) + " and " +
                             decimal(halves->second) + " of row " + decimal(halves->row) +
                             " differ, so it is not cat(f, f); columns " +
                             decimal(neighbours->first) + " and " + decimal(neighbours->second) +
                             " of row " + decimal(neighbours->row) +
                             " differ, so it is not f0 f0 f1 f1");
    }
    return {columns, 1};
}

}  // namespace

CosSin angle_layout(const NamedArray& angles, const DumpHints& asked) {
    require_alike(angles, angles);
    const auto [pairs, step] = find_columns(angles, asked);
    const double amplitude =
        asked.spec ? plan_frequencies(*asked.spec, exact_precision).attention_factor : 1;
    const std::uint64_t columns = angles.array.shape.back();
    const std::uint64_t rows = angles.array.size() / columns;
    std::vector<double> cos, sin, angle(pairs);
    cos.reserve(rows * pairs);
    sin.reserve(rows * pairs);
    for (std::uint64_t row = 0; row < rows; ++row) {
        for (std::uint64_t i = 0; i < pairs; ++i)
            angle[i] = angles.array.at(row * columns + i * step);
        fill(angle, amplitude, cos, sin);
    }
    CosSin found{StridedRows(std::move(cos), pairs),
                 StridedRows(std::move(sin), pairs),
                 static_cast<std::uint32_t>(pairs),
                 angles.array.shape,
                 Format::float64,
                 CacheLayout::angles,
                 asked.layout ? "--cache-layout" : "values beyond 4"};
    found.rows.pop_back();
    return found;
}

}  // namespace rope::io
