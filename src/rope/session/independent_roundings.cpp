#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "rope/checks/check.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/format.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/session/other_judges.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

constexpr double deviations = 6;

// Mean of e along a direction d, Σ e·d / Σ |d|², and the limit explained by roundings.
class MeanError {
  public:
    // Each component of e is within ±rounding; `table` is the effect of a table's rounding along d.
    void add(double along, double size, double rounding, double table) {
        along_ += along;
        size_ += size;
        variance_ += rounding * rounding * size;  // three roundings with variance rounding²/3
        table_ += table;
    }

    bool is_explained() const {
        if (size_ == 0) return true;
        return std::abs(along_) <= deviations * std::sqrt(variance_) + table_;  // false for NaN
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

// A pair at position m: w, e = y − w, and θ.
struct PairError {
    double m, w1, w2, e1, e2, theta;

    // `rounding`, `table` and `angle` are bounds of the effects of roundings.
    void add_to(Means& means, double rounding, double table, double angle) const {
        const double norm2 = w1 * w1 + w2 * w2, along = e1 * w1 + e2 * w2,
                     across = e2 * w1 - e1 * w2;
        means.scale.add(along, norm2, rounding, table * norm2);
        means.angle.add(across, norm2, rounding, (table + angle) * norm2);
        means.offset.add(across * theta, norm2 * theta * theta, rounding,
                         (table + angle) * norm2 * theta);
    }
};

// Calls visit(row, pair, error) for each pair that is not 0 before and after the rotation, row by
// row, until it returns false. Visits at most `most` rows.
template <class Visit>
void for_each_error(const Spec& spec, const FrequencyPlan& plan, const RotatedDump& vectors,
                    const Visit& visit, std::size_t most = static_cast<std::size_t>(-1)) {
    const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
    const DumpedRows rows(vectors);
    PairReader values(spec, vectors);
    std::vector<std::uint64_t> turns(spec.pairs());
    std::vector<double> m(spec.pairs()), cosines(spec.pairs()), sines(spec.pairs());
    const std::size_t count = rows.positions.size();
    for (std::size_t k = 0; k < std::min(count, most); ++k) {
        const std::size_t row = sampled_row(k, count, most);
        values.read(row);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            m[i] = rows.on(axis[i])[row];
            turns[i] = turn_of(m[i] * plan.pairs[i].inv_freq.to_double());
        }
        kernels().cos_sin_of_turns(turns.size(), turns.data(), cosines.data(), sines.data());
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [x1, x2, y1, y2] = values[i];
            if (x1 == 0 && x2 == 0 && y1 == 0 && y2 == 0) continue;
            const double c = plan.attention_factor * cosines[i];
            const double s = plan.attention_factor * sines[i];
            const double w1 = c * x1 - s * x2, w2 = c * x2 + s * x1;
            const double theta = std::abs(plan.pairs[i].inv_freq.to_double());
            if (!visit(row, i, PairError{m[i], w1, w2, y1 - w1, y2 - w2, theta})) return;
        }
    }
}

constexpr double farthest_move = 8192;  // up to there, angle errors are below 2^-10·θ
constexpr std::size_t fewest_rows = 8;  // to distinguish roundings from wrong frequencies
// ratio of the root mean square to the bound: 0.4 for two roundings, less for a few wrong values
constexpr double least_spread = 0.3;
constexpr int most_grown = 4;  // one pair in so many may have growing errors by chance

// Error of one pair's angle divided by θ, as a function of m.
struct LineOfErrors {
    LineSums sums;  // all weights are 1
    double square = 0;

    void add(double m, double angle) {
        sums.add(m, angle, 1);
        square += angle * angle;
    }
    // Returns how many standard deviations the slope exceeds `allowed`.
    double growth(double allowed) const {
        const double slope = sums.slope();
        const double rest = square - (sums.y * sums.y + slope * sums.covariance()) / sums.w;
        return (std::abs(slope) - allowed) /
               std::sqrt(rest / (sums.w - 2) / (sums.spread() / sums.w));
    }
};

// Keys that were moved by |s|, and their errors if they were.
struct MovedKeys {
    double move;       // least |s| whose roundings explain every value
    WorstCase errors;  // |y − R(m)x|
};

// Vectors from two float32 rotations, the angles of both being rounded.
class RotatedTwice {
  public:
    RotatedTwice(const Spec& spec, const RotatedDump& vectors)
        : spec_(spec),
          vectors_(vectors),
          plan_(plan_frequencies(spec, exact_precision)),
          k_(angle_k(least_exact, spec, plan_)),
          least_(telling_norm(vectors, spec.head_dim).least),
          lines_(spec.pairs()) {
        const double a = std::abs(plan_.attention_factor);
        rounding_ = 2 * rotation_rounding(vectors.format, a) / a;
    }

    // Returns the least distance of the second rotation that explains every value: both rotations
    // round m'·θ with |m'| up to that much larger than |m|. Empty if none up to farthest_move does.
    std::optional<double> find_move() {
        double move = 0;
        for_each([&](std::uint32_t i, const PairError& e, double norm) {
            move = std::max(move, least_move(i, e, norm));
            if (norm >= least_)
                lines_[i].add(e.m, (e.e2 * e.w1 - e.e1 * e.w2) / (norm * norm * e.theta));
            return move <= farthest_move;
        });
        return move <= farthest_move ? std::optional(move) : std::nullopt;
    }

    // Returns that of at least a third of the values in some rows; 0 if hardly any needs one.
    double likely_move() const {
        constexpr std::size_t most_rows = 512;
        constexpr int fewest = 8;  // values
        double move = 0;
        int explained = 0, moved = 0, all = 0;
        for_each(
            [&](std::uint32_t i, const PairError& e, double norm) {
                const double least = least_move(i, e, norm);
                ++all;
                if (!(least <= farthest_move)) return true;
                ++explained;
                moved += least > 0 ? 1 : 0;
                move = std::max(move, least);
                return true;
            },
            most_rows);
        // the error of a pair is up to √2 times that of its values
        return moved >= fewest && 3 * explained >= all ? std::ceil(std::numbers::sqrt2 * move) : 0;
    }

    // Returns whether the errors are as large as roundings up to `move`, and few grow with m. The
    // heads of a row share the errors of its angles.
    bool are_roundings(double move, double distinct_rows) const {
        const auto rows = static_cast<double>(vectors_.positions.size());
        const double most_growth = deviations * std::sqrt(rows / distinct_rows);
        double square = 0, count = 0;
        int pairs = 0, grown = 0;
        for (std::uint32_t i = 0; i < spec_.pairs(); ++i) {
            // only pairs whose angle errors exceed the roundings of y
            const double theta = std::abs(plan_.pairs[i].inv_freq.to_double());
            if (k_[i] == 0 || angle_of(move, theta) < rounding_) continue;
            ++pairs;
            grown += lines_[i].growth(k_[i] * 0x1p-24) > most_growth ? 1 : 0;
            square += lines_[i].square;
            count += lines_[i].sums.w;
        }
        const double bound = angle_of(move, 1);
        return most_grown * grown <= pairs &&
               !(square < least_spread * least_spread * bound * bound * count);
    }

    MovedKeys judge(double move) const {
        MovedKeys found{move, {}};
        for_each([&](std::uint32_t i, const PairError& e, double norm) {
            const double angle = k_[i] == 0 ? 0 : angle_of(move, e.theta);
            const double allowed = std::max(norm, least_) * (rounding_ + own_angle(i, e) + angle);
            found.errors.add_samples(2);
            for (const auto& [error, exact] : {std::pair{e.e1, e.w1}, {e.e2, e.w2}})
                found.errors.judge(std::abs(error), allowed, e.m, i,
                                   [&] { return Witness{{e.m}, i, exact + error, exact}; });
            return true;
        });
        return found;
    }

  private:
    // Calls visit(pair, error, norm); errors are relative to norms of at least least_.
    template <class Visit>
    void for_each(const Visit& visit, std::size_t most = static_cast<std::size_t>(-1)) const {
        for_each_error(
            spec_, plan_, vectors_,
            [&](std::size_t, std::uint32_t i, const PairError& e) {
                return visit(i, e, std::hypot(e.w1, e.w2));
            },
            most);
    }

    // The least distance that explains a pair; infinite if none does.
    double least_move(std::uint32_t i, const PairError& e, double norm) const {
        // 0 was rotated to another value; std::max would drop a NaN
        if (norm == 0 || !std::isfinite(e.e1 + e.e2)) return HUGE_VAL;
        const double size = std::max(norm, least_);
        const double error = std::max(std::abs(e.e1), std::abs(e.e2)) / size;
        const double beyond = error - rounding_ - own_angle(i, e);
        if (beyond <= 0) return 0;
        return k_[i] > 0 ? beyond / angle_of(1, e.theta) : HUGE_VAL;
    }

    double own_angle(std::uint32_t i, const PairError& e) const {
        return k_[i] == 0 ? 0 : (k_[i] + 1) * 0x1p-24 * std::abs(e.m) * e.theta;
    }
    static double angle_of(double move, double theta) { return 2 * move * 0x1p-24 * theta; }

    const Spec& spec_;
    const RotatedDump& vectors_;
    FrequencyPlan plan_;
    std::vector<double> k_;
    double rounding_ = 0, least_;
    std::vector<LineOfErrors> lines_;
};

std::optional<MovedKeys> find_moved_keys(const Spec& spec, const RotatedDump& vectors) {
    if (vectors.format != Format::float32) return std::nullopt;
    RotatedTwice twice(spec, vectors);
    const auto move = twice.find_move();
    if (!move) return std::nullopt;
    const std::size_t distinct =
        std::set(vectors.positions.begin(), vectors.positions.end()).size();
    if (distinct < fewest_rows || !twice.are_roundings(*move, static_cast<double>(distinct)))
        return std::nullopt;
    return twice.judge(std::ceil(*move));
}

}  // namespace

bool are_independent_roundings(const Spec& spec, const RotatedDump& vectors) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const double table = unit_roundoff(vectors.format) / 2,
                 farthest = DumpedRows(vectors).farthest();
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

double likely_move(const Spec& spec, const RotatedDump& vectors) {
    return vectors.format == Format::float32 ? RotatedTwice(spec, vectors).likely_move() : 0;
}

// Returns the report of float32 vectors that two rotations explain and one does not.
std::optional<Report> judge_moved(const Report& once, const RotatedDump& vectors,
                                  const SessionOptions& options) {
    if (std::ranges::none_of(once.findings, is_fault) || options.max_error) return std::nullopt;
    const Finding* passed = find_finding(once, "pass-through");
    if (passed != nullptr && is_fault(*passed)) return std::nullopt;
    const auto moved = find_moved_keys(once.spec, vectors);
    if (!moved) return std::nullopt;
    Report report = once;
    std::erase_if(report.findings, [](const Finding& finding) {
        return finding.check != "table-accuracy" && finding.check != "pass-through";
    });
    for (Finding& finding : report.findings)
        if (finding.check == "table-accuracy")
            finding = finding_of("table-accuracy", moved->errors,
                                 "|y − R(m)x| ≤ the roundings of two rotations in float32");
    report.subject.notes.push_back(
        "the errors are those of vectors that were rotated twice in float32, such as keys that "
        "are moved in a cache by " +
        decimal(moved->move) + " positions or more: checked with the tolerance of both rotations");
    return report;
}

}  // namespace rope
