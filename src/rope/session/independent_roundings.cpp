#include "rope/session/independent_roundings.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

constexpr double deviations = 6;

// The mean of e along a direction d, Σ e·d / Σ |d|², and what roundings explain of it.
class MeanError {
  public:
    // e within ±rounding in each component; `table` is what a table's rounding adds along d.
    void add(double along, double size, double rounding, double table) {
        along_ += along;
        size_ += size;
        variance_ += rounding * rounding * size;  // of three roundings, each rounding²/3
        table_ += table;
    }

    bool is_explained() const {
        if (size_ == 0) return true;
        return std::abs(along_) <= deviations * std::sqrt(variance_) + table_;  // NaN is not
    }

  private:
    double along_ = 0, size_ = 0, variance_ = 0, table_ = 0;
};

struct Means {
    MeanError scale, angle, offset;

    bool are_explained() const {
        return scale.is_explained() && angle.is_explained() && offset.is_explained();
    }
};

// A pair of a row: w, e = y − w, θ, and the bounds of a rounding.
struct PairError {
    double w1, w2, e1, e2, theta, rounding, table, angle;

    void add_to(Means& means) const {
        const double norm2 = w1 * w1 + w2 * w2, along = e1 * w1 + e2 * w2,
                     across = e2 * w1 - e1 * w2;
        means.scale.add(along, norm2, rounding, table * norm2);
        means.angle.add(across, norm2, rounding, (table + angle) * norm2);
        means.offset.add(across * theta, norm2 * theta * theta, rounding,
                         (table + angle) * norm2 * theta);
    }
};

}  // namespace

bool are_independent_roundings(const Spec& spec, const RotatedDump& vectors) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
    const double sign = spec.direction == Direction::reverse ? -1 : 1;
    const double table = unit_roundoff(vectors.format) / 2;
    const std::vector<double> k = angle_k(least_exact, spec, plan);
    double farthest = 0;
    for (const double m : vectors.positions) farthest = std::max(farthest, std::abs(m));
    for (const std::vector<double>& positions : vectors.more_positions)
        for (const double m : positions) farthest = std::max(farthest, std::abs(m));
    std::vector<Means> of_pair(spec.pairs());
    Means all;
    std::vector<std::uint64_t> turns(spec.pairs());
    std::vector<double> cosines(spec.pairs()), sines(spec.pairs());
    for (std::size_t row = 0; row < vectors.positions.size(); ++row) {
        Means of_row;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double m =
                axis[i] == 0 ? vectors.positions[row] : vectors.more_positions[axis[i] - 1][row];
            turns[i] = turn_of(sign * m * plan.pairs[i].inv_freq.to_double());
        }
        kernels().cos_sin_of_turns(turns.size(), turns.data(), cosines.data(), sines.data());
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
            const double x1 = vectors.before.at(row, from.first);
            const double x2 = vectors.before.at(row, from.second);
            if (x1 == 0 && x2 == 0) continue;
            const double theta = plan.pairs[i].inv_freq.to_double();
            const double c = plan.attention_factor * cosines[i];
            const double s = plan.attention_factor * sines[i];
            const double w1 = c * x1 - s * x2, w2 = c * x2 + s * x1;
            const PairError error{w1,
                                  w2,
                                  vectors.after.at(row, to.first) - w1,
                                  vectors.after.at(row, to.second) - w2,
                                  std::abs(theta),
                                  half_spacing(vectors.format, std::hypot(w1, w2)),
                                  table,
                                  2 * k[i] * 0x1p-24 * farthest * std::abs(theta)};
            error.add_to(of_row);
            error.add_to(of_pair[i]);
            error.add_to(all);
        }
        if (!of_row.are_explained()) return false;
    }
    return all.are_explained() && std::ranges::all_of(of_pair, &Means::are_explained);
}

}  // namespace rope
