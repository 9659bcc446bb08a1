#include "rope/table/golden_vectors.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "rope/exact/rounding.hpp"
#include "rope/frequency/frequency.hpp"
#include "rope/number/random.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/table/golden_rotation.hpp"
#include "rope/table/real_position.hpp"

namespace rope {
namespace {

std::vector<double> random_vectors(std::size_t n, Format format, Random random) {
    std::vector<double> x(n);
    for (double& value : x) value = round_to(format, random.normal());
    return x;
}

// Both tables, and q and k turned, by one axis' positions.
struct Turned {
    std::vector<double> cos, sin, q, k;
};

// Rows that one plan and one direction turn.
using RowsByUnit = std::map<std::pair<int, bool>, std::vector<std::size_t>>;

RowsByUnit rows_by_unit(std::span<const RealPosition> positions) {
    RowsByUnit rows;
    for (std::size_t r = 0; r < positions.size(); ++r)
        rows[{positions[r].exponent, positions[r].negative}].push_back(r);
    return rows;
}

void turn_rows(const GoldenRotation& rotation, const std::vector<std::uint64_t>& positions,
               std::span<const std::size_t> rows, std::vector<double>& x) {
    if (x.empty()) return;
    const std::size_t width = rows.empty() ? 0 : rotation.head_dim();
    std::vector<double> some(rows.size() * width);
    for (std::size_t r = 0; r < rows.size(); ++r)
        std::copy_n(&x[rows[r] * width], width, &some[r * width]);
    some = rotation.apply(positions, some);
    for (std::size_t r = 0; r < rows.size(); ++r)
        std::copy_n(&some[r * width], width, &x[rows[r] * width]);
}

// R(−m) = R(m)ᵀ: the same cosines, the sines negated.
Spec reversed(Spec spec) {
    spec.direction = spec.direction == Direction::forward ? Direction::reverse : Direction::forward;
    return spec;
}

Turned turned_at(const Spec& spec, const FrequencyPlan& plan, std::span<const double> positions,
                 const GoldenVectors& golden) {
    std::vector<RealPosition> real;
    for (const double position : positions) real.push_back(real_position(position));
    const std::size_t pairs = spec.pairs();
    Turned turned{std::vector<double>(real.size() * pairs),
                  std::vector<double>(real.size() * pairs), golden.q, golden.k};
    for (const auto& [unit, rows] : rows_by_unit(real)) {
        const auto& [exponent, negative] = unit;
        const FrequencyPlan scaled = in_units(plan, exponent);
        std::vector<std::uint64_t> whole;
        for (const std::size_t r : rows) whole.push_back(real[r].whole);
        const RotaryTable table = build_table(scaled, whole, golden.format);
        for (std::size_t k = 0; k < table.cos.size(); ++k) {
            const std::size_t to = rows[k / pairs] * pairs + k % pairs;
            turned.cos[to] = table.cos[k];
            turned.sin[to] = negative && table.sin[k] != 0 ? -table.sin[k] : table.sin[k];
        }
        if (golden.q.empty()) continue;
        const Spec as_turned = negative ? reversed(spec) : spec;
        const GoldenRotation rotation(as_turned, scaled, golden.format);
        turn_rows(rotation, whole, rows, turned.q);
        turn_rows(rotation, whole, rows, turned.k);
    }
    return turned;
}

// The columns and lanes of one pair.
void take_pair(const Spec& spec, std::size_t i, const Turned& from, Turned& to) {
    const std::size_t pairs = spec.pairs();
    const Lanes lanes = written_lanes_of_pair(spec, i);
    for (std::size_t k = i; k < to.cos.size(); k += pairs) {
        to.cos[k] = from.cos[k];
        to.sin[k] = from.sin[k];
    }
    for (std::size_t row = 0; row < to.q.size(); row += spec.head_dim)
        for (const std::size_t lane : {row + lanes.first, row + lanes.second}) {
            to.q[lane] = from.q[lane];
            if (!to.k.empty()) to.k[lane] = from.k[lane];
        }
}

Turned turned_by_axes(const Spec& spec, const FrequencyPlan& plan, const PositionsByAxis& positions,
                      const GoldenVectors& golden) {
    Turned turned = turned_at(spec, plan, positions.front(), golden);
    const std::vector<std::uint32_t> axes = axis_of_pairs(spec.axes, spec.pairs());
    for (std::size_t axis = 1; axis < positions.size(); ++axis) {
        const Turned other = turned_at(spec, plan, positions[axis], golden);
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i] == axis) take_pair(spec, i, other, turned);
    }
    return turned;
}

}  // namespace

std::vector<double> golden_rotation(const Spec& spec, const PositionsByAxis& positions,
                                    Format format, std::vector<double> x) {
    GoldenVectors given;
    given.format = format;
    given.q = std::move(x);
    return turned_by_axes(spec, plan_frequencies(spec, exact_precision), positions, given).q;
}

GoldenVectors golden_vectors_at(const Spec& spec, const PositionsByAxis& positions, Format format,
                                std::optional<std::uint64_t> seed) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    GoldenVectors golden;
    golden.format = format;
    golden.attention_factor = plan.attention_factor;
    for (const PlannedFrequency& pair : plan.pairs)
        golden.inv_freq.push_back(pair.inv_freq.to_double());
    if (seed) {
        const std::size_t size = positions.front().size() * spec.head_dim;
        golden.q = random_vectors(size, format, Random(*seed));
        golden.k = random_vectors(size, format, Random(~*seed));
    }
    Turned turned = turned_by_axes(spec, plan, positions, golden);
    golden.table = {{}, spec.pairs(), std::move(turned.cos), std::move(turned.sin)};
    golden.q_rot = std::move(turned.q);
    golden.k_rot = std::move(turned.k);
    return golden;
}

GoldenVectors golden_vectors(const Spec& spec, std::vector<std::uint64_t> positions, Format format,
                             std::optional<std::uint64_t> seed) {
    GoldenVectors golden =
        golden_vectors_at(spec, {{positions.begin(), positions.end()}}, format, seed);
    golden.table.positions = std::move(positions);
    return golden;
}

std::vector<double> golden_angles(const Spec& spec, const PositionsByAxis& positions,
                                  Format format) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const std::vector<std::uint32_t> axes = axis_of_pairs(spec.axes, spec.pairs());
    std::vector<double> angles;
    angles.reserve(positions.front().size() * plan.pairs.size());
    for (std::size_t r = 0; r < positions.front().size(); ++r)
        for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
            const double m = positions[positions.size() == 1 ? 0 : axes[i]][r];
            angles.push_back(round_to(format, plan.pairs[i].inv_freq * m));
        }
    return angles;
}

}  // namespace rope
