#include "rope/table/golden_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "rope/exact/phase.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/table/golden_rotation.hpp"
#include "rope/table/real_position.hpp"
#include "rope/table/stored_table.hpp"

namespace rope {
namespace {

// Rows that one unit of positions and one direction turn.
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

// R(−m) = R(m)ᵀ: the same cosines, the sines negated.
Spec reversed(Spec spec) {
    spec.direction = spec.direction == Direction::forward ? Direction::reverse : Direction::forward;
    return spec;
}

// Whether these are whole positions from 0 on, each one more than the one before.
bool is_run(std::span<const double> positions) {
    for (std::size_t r = 0; r < positions.size(); ++r)
        if (positions[r] != positions[0] + static_cast<double>(r)) return false;
    return positions[0] >= 0 && positions[0] == std::trunc(positions[0]);
}

// What `at` makes by the first axis, and of each further one the pairs that it turns: `take(i,
// from, to)`.
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

std::vector<double> GoldenRows::inv_freq() const {
    std::vector<double> inv_freq;
    for (const PlannedFrequency& pair : plan_.pairs) inv_freq.push_back(pair.inv_freq.to_double());
    return inv_freq;
}

const TruthRows& GoldenRows::in_units(int exponent) {
    if (truth_ && exponent_ == exponent) return *truth_;
    truth_.reset();  // before the next, which is as large
    truth_.emplace(exponent == 0 ? plan_ : rope::in_units(plan_, exponent), 0, spec_.pairs());
    exponent_ = exponent;
    return *truth_;
}

RotaryTable GoldenRows::table_at(std::span<const double> positions) {
    const std::size_t pairs = spec_.pairs();
    RotaryTable all{{}, spec_.pairs(), {}, {}};
    all.cos.resize(positions.size() * pairs);
    all.sin.resize(all.cos.size());
    // by double-double angle addition, 100 times as fast as MPFR
    if (format_ == Format::float64 && positions.size() >= tile_rows && is_run(positions)) {
        build_table(plan_, static_cast<std::uint64_t>(positions[0]),
                    {format_, std::as_writable_bytes(std::span(all.cos)),
                     std::as_writable_bytes(std::span(all.sin))});
        return all;
    }
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
    const std::size_t width = spec_.head_dim;
    std::vector<double> rotated(x.size());
    for (const auto& [unit, part] : rows_by_unit(positions)) {
        const GoldenRotation rotation(unit.second ? reversed(spec_) : spec_, in_units(unit.first),
                                      plan_.amplitude, format_);
        std::vector<double> some(part.rows.size() * width);
        for (std::size_t r = 0; r < part.rows.size(); ++r)
            std::copy_n(&x[part.rows[r] * width], width, &some[r * width]);
        some = rotation.apply(part.positions, some);
        for (std::size_t r = 0; r < part.rows.size(); ++r)
            std::copy_n(&some[r * width], width, &rotated[part.rows[r] * width]);
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
            const Lanes lanes = written_lanes_of_pair(spec_, i);
            for (std::size_t row = 0; row < to.size(); row += spec_.head_dim)
                for (const std::size_t lane : {row + lanes.first, row + lanes.second})
                    to[lane] = from[lane];
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

}  // namespace rope
