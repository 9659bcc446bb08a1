#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;
enum class Added { before, after };

// Least squares of 2·b1·u + 2·b2·v + c = d.
class Fit {
  public:
    void add(double u, double v, double d, double weight) {
        const std::array row{2 * u * weight, 2 * v * weight, weight, d * weight};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 4; ++j) sums_[i][j] += row[i] * row[j];
    }
    std::pair<double, double> solution() {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = i + 1; k < 3; ++k) {
                const double factor = sums_[k][i] / sums_[i][i];
                for (std::size_t j = i; j < 4; ++j) sums_[k][j] -= factor * sums_[i][j];
            }
        std::array<double, 3> x{};
        for (std::size_t i = 3; i-- > 0;) {
            double rest = sums_[i][3];
            for (std::size_t j = i + 1; j < 3; ++j) rest -= sums_[i][j] * x[j];
            x[i] = rest / sums_[i][i];
        }
        return {x[0], x[1]};
    }

  private:
    std::array<std::array<double, 4>, 3> sums_{};
};

// A rotation keeps |x1, x2|, so that of each pair, whatever the angles,
//   |y|² − |x|² = 2·b·x + |b|²   of y = R (x + b),
//   |y|² − |x|² = 2·b·y − |b|²   of y = R x + b.
// Where b is far larger than x the row at position 0, y = x + b, tells it better.
class LaneShift {
  public:
    LaneShift(const Spec& spec, const JoinedHeads& rows, const std::vector<SampledVector>& sampled,
              Added added)
        : spec_(spec),
          rows_(rows),
          sampled_(sampled),
          added_(added),
          tolerance_(16 * half_spacing(rows.source().format, 1)),
          amplitude_(frequencies_of(spec).amplitude),
          pairs_(pairs_of(spec, rows.heads())) {}

    bool could_be_found() {
        constexpr std::size_t least = 8;
        shift_.assign(rows_.lanes(), 0);
        return sampled_.size() >= least && !fits();  // without any
    }
    bool is_found_by_squares() {
        take_least_squares();
        return fits();
    }
    bool is_found_by_first_row() { return take_first_row() && fits(); }

    Cleared cleared() const {
        RotatedDump changed = rows_.source();
        Vector before(rows_.count() * rows_.lanes()), after(before.size());
        for (std::size_t token = 0; token < rows_.count(); ++token) {
            const SampledVector one = told(rows_.read(token));
            rows_.write(token, one.before, before);
            rows_.write(token, one.after, after);
        }
        changed.before = StridedRows(std::move(before), spec_.head_dim);
        changed.after = StridedRows(std::move(after), spec_.head_dim);
        return {name(), std::move(changed), 8};
    }

  private:
    // Of lanes that do not rotate the attention factor is no part.
    double amplitude(const PairOfLanes& pair) const { return pair.is_passed() ? 1 : amplitude_; }
    const Lanes& own(const PairOfLanes& pair) const {
        return added_ == Added::before ? pair.read : pair.written;
    }

    bool take_first_row() {
        const SampledVector& first = sampled_.front();
        const RotatedDump& dump = rows_.source();
        if (dump.positions[first.row] != 0 || !dump.more_positions.empty()) return false;
        const auto shift = [&](std::size_t read, std::size_t written, double a) {
            return added_ == Added::before ? first.after[written] / a - first.before[read]
                                           : first.after[written] - a * first.before[read];
        };
        for (const PairOfLanes& pair : pairs_) {
            const auto& [read, written] = pair;
            shift_[own(pair).first] = shift(read.first, written.first, amplitude(pair));
            shift_[own(pair).second] = shift(read.second, written.second, amplitude(pair));
        }
        return true;
    }

    void take_least_squares() {
        for (const PairOfLanes& pair : pairs_) {
            const auto [first, second] = own(pair);
            if (pair.is_passed())
                shift_[first] = mean_move(first);
            else
                std::tie(shift_[first], shift_[second]) = fit(pair).solution();
        }
    }
    double mean_move(std::size_t lane) const {
        double sum = 0;
        for (const SampledVector& one : sampled_) sum += one.after[lane] - one.before[lane];
        return sum / static_cast<double>(sampled_.size());
    }
    Fit fit(const PairOfLanes& pair) const {
        const bool is_before = added_ == Added::before;
        Fit fit;
        for (const SampledVector& one : sampled_) {
            const double x = amplitude_ * norm(one.before, pair.read),
                         y = norm(one.after, pair.written);
            if (x + y == 0) continue;
            const Vector& of = is_before ? one.before : one.after;
            const double scale = is_before ? amplitude_ * amplitude_ : 1;
            fit.add(scale * of[own(pair).first], scale * of[own(pair).second], y * y - x * x,
                    1 / (x * x + y * y));
        }
        return fit;
    }

    static double norm(const Vector& of, const Lanes& lanes) {
        return portable::hypot(of[lanes.first], of[lanes.second]);
    }

    // Whether every pair keeps its norm with the shift taken out, and other lanes are kept.
    bool fits() const {
        return std::ranges::all_of(sampled_, [&](const SampledVector& one) {
            const SampledVector now = without_shift(one);
            const double usual = size_of(one);
            return std::ranges::all_of(pairs_, [&](const PairOfLanes& pair) {
                if (pair.is_passed()) return is_kept(now, pair.read.first, usual);
                return std::abs(amplitude_ * norm(now.before, pair.read) -
                                norm(now.after, pair.written)) <=
                       tolerance_ * std::max(size_of(one, pair), usual);
            });
        });
    }
    double size_of(const SampledVector& one, const PairOfLanes& pair) const {
        return std::max(
            {norm(one.before, pair.read), norm(one.after, pair.written), norm(shift_, own(pair))});
    }
    // What is found of all rows is as exact as most of their lanes are.
    double size_of(const SampledVector& one) const {
        double squares = 0;
        for (const double x : one.before) squares += x * x;
        for (const double y : one.after) squares += y * y;
        return std::sqrt(squares / static_cast<double>(2 * rows_.lanes()));
    }
    bool is_kept(const SampledVector& now, std::size_t lane, double usual) const {
        const double size = std::max({std::abs(now.before[lane]), std::abs(shift_[lane]), usual});
        return std::abs(now.before[lane] - now.after[lane]) <= tolerance_ * size;
    }
    SampledVector without_shift(SampledVector one) const {
        Vector& own = added_ == Added::before ? one.before : one.after;
        const double sign = added_ == Added::before ? 1 : -1;
        for (std::size_t lane = 0; lane < own.size(); ++lane) own[lane] += sign * shift_[lane];
        return one;
    }

    // Of x and y what tells a rotation: pairs that nearly cancel with the shift are left out, as
    // those are that are zero on both sides, and lanes that do not rotate become what they are on
    // the other side.
    SampledVector told(const SampledVector& as_is) const {
        constexpr double small = 0.25;
        SampledVector one = without_shift(as_is);
        const double usual = size_of(as_is);
        for (const PairOfLanes& pair : pairs_) {
            const auto& [read, written] = pair;
            if (pair.is_passed()) {
                if (is_kept(one, read.first, usual)) one.after[read.first] = one.before[read.first];
                continue;
            }
            const double left =
                added_ == Added::before ? norm(one.before, read) : norm(one.after, written);
            if (!(left < small * size_of(as_is, pair))) continue;
            one.before[read.first] = one.before[read.second] = 0;
            one.after[written.first] = one.after[written.second] = 0;
        }
        return one;
    }

    NamedMistake name() const {
        double most = 0;
        for (const double one : shift_) most = std::max(most, std::abs(one));
        most = few_digits(most, 0.01);
        const std::string added = added_ == Added::before ? "before" : "after";
        return {"lane-shift",
                {{"added", added}, {"most", most}},
                std::string("a bias ") + (rows_.heads() > 1 ? "of each head's own " : "") +
                    "is added " + added + " the rotation, up to " + decimal(most)};
    }

    const Spec& spec_;
    const JoinedHeads& rows_;
    const std::vector<SampledVector>& sampled_;
    Added added_;
    double tolerance_, amplitude_;
    std::vector<PairOfLanes> pairs_;
    Vector shift_;  // of each lane, before or after
};

}  // namespace

void clear_of_shift(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained) {
    if (dump.positions.size() * asked.head_dim > most_changed_lanes) return;
    const RowGroups groups(dump);
    const JoinedHeads rows = groups.heads() > 1 ? JoinedHeads(dump, groups) : JoinedHeads(dump);
    const std::vector<SampledVector> sampled = sampled_vectors(rows);
    for (const Spec& spec : in_both_layouts(asked))
        for (const Added added : {Added::before, Added::after}) {
            LaneShift shift(spec, rows, sampled, added);
            if (!shift.could_be_found()) continue;
            if (shift.is_found_by_squares() && is_explained(shift.cleared())) return;
            if (shift.is_found_by_first_row() && is_explained(shift.cleared())) return;
        }
}

}  // namespace rope
