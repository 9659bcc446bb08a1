#include "rope/session/independent_roundings.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
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

// A pair of a row at m: w, e = y − w, θ.
struct PairError {
    double m, w1, w2, e1, e2, theta;

    // `rounding`, `table` and `angle`: bounds of what a rounding moves.
    void add_to(Means& means, double rounding, double table, double angle) const {
        const double norm2 = w1 * w1 + w2 * w2, along = e1 * w1 + e2 * w2,
                     across = e2 * w1 - e1 * w2;
        means.scale.add(along, norm2, rounding, table * norm2);
        means.angle.add(across, norm2, rounding, (table + angle) * norm2);
        means.offset.add(across * theta, norm2 * theta * theta, rounding,
                         (table + angle) * norm2 * theta);
    }
};

// Calls visit(row, pair, error) of each pair that is not 0, row after row, until it returns false.
template <class Visit>
void for_each_error(const Spec& spec, const FrequencyPlan& plan, const RotatedDump& vectors,
                    const Visit& visit) {
    const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
    const double sign = spec.direction == Direction::reverse ? -1 : 1;
    std::vector<std::uint64_t> turns(spec.pairs());
    std::vector<double> m(spec.pairs()), cosines(spec.pairs()), sines(spec.pairs());
    for (std::size_t row = 0; row < vectors.positions.size(); ++row) {
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            m[i] = axis[i] == 0 || vectors.more_positions.empty()
                       ? vectors.positions[row]
                       : vectors.more_positions[axis[i] - 1][row];
            turns[i] = turn_of(sign * m[i] * plan.pairs[i].inv_freq.to_double());
        }
        kernels().cos_sin_of_turns(turns.size(), turns.data(), cosines.data(), sines.data());
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
            const double x1 = vectors.before.at(row, from.first);
            const double x2 = vectors.before.at(row, from.second);
            if (x1 == 0 && x2 == 0) continue;
            const double c = plan.attention_factor * cosines[i];
            const double s = plan.attention_factor * sines[i];
            const double w1 = c * x1 - s * x2, w2 = c * x2 + s * x1;
            const PairError error{m[i],
                                  w1,
                                  w2,
                                  vectors.after.at(row, to.first) - w1,
                                  vectors.after.at(row, to.second) - w2,
                                  std::abs(plan.pairs[i].inv_freq.to_double())};
            if (!visit(row, i, error)) return;
        }
    }
}

double farthest_of(const RotatedDump& vectors) {
    double farthest = 0;
    for (const double m : vectors.positions) farthest = std::max(farthest, std::abs(m));
    for (const std::vector<double>& positions : vectors.more_positions)
        for (const double m : positions) farthest = std::max(farthest, std::abs(m));
    return farthest;
}

}  // namespace

bool are_independent_roundings(const Spec& spec, const RotatedDump& vectors) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const double table = unit_roundoff(vectors.format) / 2, farthest = farthest_of(vectors);
    const std::vector<double> k = angle_k(least_exact, spec, plan);
    std::vector<Means> of_pair(spec.pairs());
    Means all, of_row;
    std::size_t last = 0;
    bool are_explained = true;
    for_each_error(spec, plan, vectors, [&](std::size_t row, std::uint32_t i, const PairError& e) {
        if (row != std::exchange(last, row)) {
            are_explained = of_row.are_explained();
            of_row = {};
        }
        const double rounding = half_spacing(vectors.format, std::hypot(e.w1, e.w2));
        const double angle = 2 * k[i] * 0x1p-24 * farthest * e.theta;
        for (Means* means : {&of_row, &of_pair[i], &all}) e.add_to(*means, rounding, table, angle);
        return are_explained;
    });
    return are_explained && of_row.are_explained() && all.are_explained() &&
           std::ranges::all_of(of_pair, &Means::are_explained);
}

namespace {

constexpr double farthest_move = 8192;  // angles are then within 2^-10·θ
constexpr std::size_t fewest_rows = 8;  // at different positions, that tell roundings from rates
// the root mean square over the bound: that of two roundings is 0.4, of a few odd values less
constexpr double least_spread = 0.3;
constexpr int most_grown = 4;  // one pair in so many, whose products follow their steps

// The errors of one pair's angle over θ, by m.
class LineOfErrors {
  public:
    void add(double m, double angle) {
        ++count_;
        m_ += m;
        mm_ += m * m;
        angle_ += angle;
        along_ += m * angle;
        square_ += angle * angle;
    }
    // By how many standard deviations they grow faster with m than `allowed`.
    double growth(double allowed) const {
        const double spread = mm_ - m_ * m_ / count_, along = along_ - m_ * angle_ / count_;
        const double slope = along / spread;
        const double rest = square_ - angle_ * angle_ / count_ - slope * along;
        return (std::abs(slope) - allowed) / std::sqrt(rest / (count_ - 2) / spread);
    }
    double square() const { return square_; }
    double count() const { return count_; }

  private:
    double count_ = 0, m_ = 0, mm_ = 0, angle_ = 0, along_ = 0, square_ = 0;
};

}  // namespace

std::optional<MovedKeys> find_moved_keys(const Spec& spec, const RotatedDump& vectors) {
    if (vectors.format != Format::float32) return std::nullopt;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const std::vector<double> k = angle_k(least_exact, spec, plan);
    const double a = std::abs(plan.attention_factor);
    const double rounding = 2 * rotation_rounding(vectors.format, a) / a;
    const double least = telling_norm(vectors, spec.head_dim).least;
    const auto own_angle = [&](std::uint32_t i, const PairError& e) {
        return k[i] == 0 ? 0 : (k[i] + 1) * 0x1p-24 * std::abs(e.m) * e.theta;
    };
    // both rotations round m'·θ, of |m'| up to `move` further than m
    double move = 0;
    bool is_explained = true;
    std::vector<LineOfErrors> lines(spec.pairs());
    for_each_error(spec, plan, vectors, [&](std::size_t, std::uint32_t i, const PairError& e) {
        const double norm = std::hypot(e.w1, e.w2);
        if (norm < least) return true;
        const double error = std::max(std::abs(e.e1), std::abs(e.e2)) / norm;
        const double beyond = error - rounding - own_angle(i, e);
        if (!(beyond <= 0)) {
            is_explained = k[i] > 0 && beyond <= 2 * farthest_move * 0x1p-24 * e.theta;
            move = std::max(move, beyond / (2 * 0x1p-24 * e.theta));
        }
        lines[i].add(e.m, (e.e2 * e.w1 - e.e1 * e.w2) / (norm * norm * e.theta));
        return is_explained;
    });
    const std::size_t rows = vectors.positions.size();
    const auto distinct =
        static_cast<double>(std::set(vectors.positions.begin(), vectors.positions.end()).size());
    if (!is_explained || distinct < fewest_rows) return std::nullopt;
    // the heads of a row share the errors of its angles
    const double most_growth = deviations * std::sqrt(static_cast<double>(rows) / distinct);
    double square = 0, count = 0;
    int told = 0, grown = 0;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        // pairs whose angles say more than the roundings of y
        const double theta = std::abs(plan.pairs[i].inv_freq.to_double());
        if (k[i] == 0 || 2 * move * 0x1p-24 * theta < rounding) continue;
        ++told;
        grown += lines[i].growth(k[i] * 0x1p-24) > most_growth ? 1 : 0;
        square += lines[i].square();
        count += lines[i].count();
    }
    const double bound = 2 * move * 0x1p-24;
    if (most_grown * grown > told || square < least_spread * least_spread * bound * bound * count)
        return std::nullopt;
    MovedKeys found{std::ceil(move), {}};
    for_each_error(spec, plan, vectors, [&](std::size_t, std::uint32_t i, const PairError& e) {
        const double norm = std::hypot(e.w1, e.w2);
        if (norm < least) return true;
        const double angle = k[i] == 0 ? 0 : 2 * found.move * 0x1p-24 * e.theta;
        const double allowed = norm * (rounding + own_angle(i, e) + angle);
        found.errors.add_samples(2);
        for (const auto& [error, exact] : {std::pair{e.e1, e.w1}, {e.e2, e.w2}})
            found.errors.judge(std::abs(error), allowed, e.m, i,
                               [&] { return Witness{{e.m}, i, exact + error, exact}; });
        return true;
    });
    return found;
}

}  // namespace rope
