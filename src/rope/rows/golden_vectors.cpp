// R(m)q as computed by a correct kernel.
#include "rope/rows/golden_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "rope/exact/codec.hpp"
#include "rope/exact/format.hpp"
#include "rope/exact/phase.hpp"
#include "rope/exact/random.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

// Rows whose positions have the same unit and sign.
struct UnitRows {
    std::vector<std::uint64_t> positions;  // in that unit
    std::vector<std::size_t> rows;
};

std::map<std::pair<int, bool>, UnitRows> rows_by_unit(std::span<const double> positions) {
    std::map<std::pair<int, bool>, UnitRows> units;
    for (std::size_t r = 0; r < positions.size(); ++r) {
        const RealPosition real = real_position(positions[r]);
        UnitRows& unit = units[{real.exponent, real.negative}];
        unit.positions.push_back(real.whole);
        unit.rows.push_back(r);
    }
    return units;
}

// y1 = a·(x1·cos − x2·sin), y2 = a·(x2·cos + x1·sin), each rounded once.
struct GoldenRotation {
    const Spec& spec;
    const TruthRows& truth;
    const BigReal& amplitude;
    Format format;
    double rounded_amplitude = amplitude.to_double();

    // Rotates some rows of x, rows × head_dim, to those of y.
    void apply(const UnitRows& part, const std::vector<double>& x, std::vector<double>& y) const {
        for (std::size_t first = 0; first < part.rows.size(); first += tile_rows)
            apply_tile(part, first, std::min(tile_rows, part.rows.size() - first), x, y);
    }

  private:
    void apply_tile(const UnitRows& part, std::size_t first, std::size_t count,
                    const std::vector<double>& x, std::vector<double>& y) const {
        const std::size_t pairs = spec.pairs();
        std::vector<double> cos(count * pairs), sin(cos.size());
        truth.exact().fill(std::span(part.positions).subspan(first, count), cos.data(), sin.data());
        for (std::size_t k = 0; k < cos.size(); ++k) {
            const std::size_t r = first + k / pairs, row = part.rows[r] * spec.head_dim;
            const Dimensions from = dimensions_of_pair(spec, k % pairs);
            const Dimensions to = written_dimensions_of_pair(spec, k % pairs);
            const double x1 = x[row + from.first], x2 = x[row + from.second];
            const auto turn = [&](double a, double b, double& dimension) {
                if (!round_safely(a, b, cos[k], sin[k], dimension))
                    dimension = decide(a, b, part.positions[r], k % pairs);
            };
            turn(x1, -x2, y[row + to.first]);
            turn(x2, x1, y[row + to.second]);
        }
    }

    // Rounds amplitude·(a·cos + b·sin). Returns whether both ends of its error interval round alike
    // (Ziv's test).
    bool round_safely(double a, double b, double cos, double sin, double& to) const {
        const double value = rounded_amplitude * (a * cos + b * sin);
        // error of cos and sin ≤ cos_sin_error each; five roundings with a relative error ≤ 2^-53
        const double error =
            2 * cos_sin_error * std::abs(rounded_amplitude) * (std::abs(a) + std::abs(b));
        to = round_to(format, value);
        return rounds_alike(value, error, [&](double z) { return round_to(format, z); });
    }

    // Does the same with 384 bits; a value that is then within the error of a tie is a tie.
    double decide(double a, double b, std::uint64_t position, std::size_t pair) const {
        const BigReal angle = truth.angle(position, pair);
        BigReal cos(0, angle.precision()), sin(0, angle.precision());
        mpfr_sin_cos(sin.raw(), cos.raw(), angle.raw(), MPFR_RNDN);
        return round_to(format, (cos * a + sin * b) * amplitude);
    }
};

// R(−m) = R(m)ᵀ: the same cosines, the sines negated.
Spec reversed(Spec spec) {
    spec.direction = spec.direction == Direction::forward ? Direction::reverse : Direction::forward;
    return spec;
}

// Returns at(positions of the first axis), with the pairs of each further axis copied from
// at(positions of that axis) by take(i, from, to).
template <typename At, typename Take>
auto by_axes(const Spec& spec, const PositionsByAxis& positions, const At& at, const Take& take) {
    auto all = at(positions.front());
    const std::vector<std::uint32_t> axes = axis_of_pairs(spec.axes, spec.pairs());
    for (std::size_t axis = 1; axis < positions.size(); ++axis) {
        const auto other = at(positions[axis]);
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i] == axis) take(i, other, all);
    }
    return all;
}

}  // namespace

GoldenRows::GoldenRows(const Spec& spec, Format format)
    : spec_(spec), format_(format), plan_(plan_frequencies(spec, exact_precision)) {}

std::vector<double> GoldenRows::inv_freq() const { return plan_.inv_freq(); }

const TruthRows& GoldenRows::in_units(int exponent) {
    if (truth_ && exponent_ == exponent) return *truth_;
    truth_.reset();  // frees the old rows before the new ones, which are as large, are made
    truth_.emplace(exponent == 0 ? plan_ : rope::in_units(plan_, exponent), 0, spec_.pairs());
    exponent_ = exponent;
    return *truth_;
}

RotaryTable GoldenRows::table_at(std::span<const double> positions) {
    const std::size_t pairs = spec_.pairs();
    RotaryTable all{{}, spec_.pairs(), {}, {}};
    all.cos.resize(positions.size() * pairs);
    all.sin.resize(all.cos.size());
    for (const auto& [unit, part] : rows_by_unit(positions)) {
        const RotaryTable table = build_table(in_units(unit.first), part.positions, format_);
        for (std::size_t k = 0; k < table.cos.size(); ++k) {
            const std::size_t to = part.rows[k / pairs] * pairs + k % pairs;
            all.cos[to] = table.cos[k];
            all.sin[to] = unit.second && table.sin[k] != 0 ? -table.sin[k] : table.sin[k];
        }
    }
    return all;
}

std::vector<double> GoldenRows::rotated_at(std::span<const double> positions,
                                           const std::vector<double>& x) {
    std::vector<double> rotated = x;
    for (const auto& [unit, part] : rows_by_unit(positions)) {
        const Spec spec = unit.second ? reversed(spec_) : spec_;
        GoldenRotation{spec, in_units(unit.first), plan_.amplitude, format_}.apply(part, x,
                                                                                   rotated);
    }
    return rotated;
}

RotaryTable GoldenRows::table(const PositionsByAxis& positions) {
    return by_axes(
        spec_, positions, [this](const std::vector<double>& axis) { return table_at(axis); },
        [](std::size_t i, const RotaryTable& from, RotaryTable& to) {
            for (std::size_t k = i; k < to.cos.size(); k += to.pairs) {
                to.cos[k] = from.cos[k];
                to.sin[k] = from.sin[k];
            }
        });
}

std::vector<double> GoldenRows::rotated(const PositionsByAxis& positions,
                                        const std::vector<double>& x) {
    return by_axes(
        spec_, positions, [&](const std::vector<double>& axis) { return rotated_at(axis, x); },
        [&](std::size_t i, const std::vector<double>& from, std::vector<double>& to) {
            const Dimensions dimensions = written_dimensions_of_pair(spec_, i);
            for (std::size_t row = 0; row < to.size(); row += spec_.head_dim)
                for (const std::size_t dimension :
                     {row + dimensions.first, row + dimensions.second})
                    to[dimension] = from[dimension];
        });
}

std::vector<double> GoldenRows::angles(const PositionsByAxis& positions) const {
    const std::vector<std::uint32_t> axes = axis_of_pairs(spec_.axes, spec_.pairs());
    std::vector<double> angles;
    angles.reserve(positions.front().size() * plan_.pairs.size());
    for (std::size_t r = 0; r < positions.front().size(); ++r)
        for (std::size_t i = 0; i < plan_.pairs.size(); ++i) {
            const double m = positions[positions.size() == 1 ? 0 : axes[i]][r];
            angles.push_back(round_to(format_, plan_.pairs[i].inv_freq * m));
        }
    return angles;
}

std::vector<double> golden_normals(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                   Format format) {
    Random random(seed);
    random.skip_normals(first);
    std::vector<double> x(count);
    for (double& value : x) value = round_to(format, random.normal());
    return x;
}

}  // namespace rope
