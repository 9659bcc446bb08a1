#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/cleared.hpp"
#include "rope/diagnose/reading/fit_to_one.hpp"
#include "rope/diagnose/reading/sampled_vectors.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;

double norm(const Vector& vector) {
    double squares = 0;
    for (const double x : vector) squares += x * x;
    return std::sqrt(squares);
}

// A rotation keeps |x1, x2|, so that whatever the angles
//   w1²·x1² + w2²·x2² = y1² + y2²   of y = R (w ⊙ x),
//   y1²/w1² + y2²/w2² = x1² + x2²   of y = w ⊙ R x:
// two unknowns of each pair, linear in every row. A factor of all of them is the Spec's attention
// factor, as far as it has one.
class LaneWeights {
  public:
    enum class Applied { before, after };

    LaneWeights(const Spec& spec, const RotatedDump& dump, Applied applied, bool is_normalised)
        : spec_(spec),
          dump_(dump),
          applied_(applied),
          is_normalised_(is_normalised),
          tolerance_(16 * half_spacing(dump.format, 1)),
          amplitude_(frequencies_of(spec).amplitude),
          sampled_(sampled_vectors(dump)) {}

    bool are_found() {
        constexpr std::size_t least = 8;
        if (sampled_.size() < least || !find_weights()) return false;
        const auto [low, high] = std::ranges::minmax(weights_);
        return high > low * (1 + 4 * tolerance_);
    }

    // Those of the row at position 0, where a rotation changes none; whether any is negative.
    bool take_signs() {
        const SampledVector& first = sampled_.front();
        if (dump_.positions[first.row] != 0 || !dump_.more_positions.empty()) return false;
        const auto take = [&](std::size_t read, std::size_t written) {
            double& weight = weights_[applied_ == Applied::before ? read : written];
            weight = std::copysign(weight, first.before[read] * first.after[written]);
        };
        for (std::size_t i = 0; i < spec_.rotary_dim / 2; ++i) {
            const Lanes read = lanes_of_pair(spec_, i), written = written_lanes_of_pair(spec_, i);
            take(read.first, written.first);
            take(read.second, written.second);
        }
        for (const std::size_t lane : passed_lanes(spec_)) take(lane, lane);
        return std::ranges::any_of(weights_, [](double weight) { return weight < 0; });
    }

    Cleared cleared() const {
        RotatedDump changed = dump_;
        (applied_ == Applied::before ? changed.before : changed.after) =
            StridedRows(changed_rows(), spec_.head_dim);
        return {name(), std::move(changed), 4};
    }

  private:
    // The eps of a norm shows where a vector is small: each row's factor by the weights, then
    // these by the factors.
    bool find_weights() {
        constexpr double eps = 0x1p-10;
        constexpr int most_rounds = 12;
        Vector usual;
        for (const SampledVector& each : sampled_) usual.push_back(usual_factor(each));
        const double loose = is_normalised_ ? std::max(eps, tolerance_) : tolerance_;
        if (!fit(usual, loose)) return false;
        bool is_fit = !is_normalised_;
        for (int round = 0; !is_fit && round < most_rounds; ++round) {
            Vector factors;
            for (const SampledVector& each : sampled_) factors.push_back(measured_factor(each));
            for (std::size_t k = 0; k < factors.size(); ++k)
                if (!(std::abs(factors[k] / usual[k] - 1) <= loose)) return false;
            is_fit = fit(factors, tolerance_);
            if (!is_fit && !fit(factors, loose)) return false;
        }
        return is_fit;
    }

    double usual_factor(const SampledVector& one) const {
        return is_normalised_ ? std::sqrt(spec_.head_dim) / norm(one.before) : 1;
    }
    // By the weights.
    double measured_factor(const SampledVector& one) const {
        if (!is_normalised_) return 1;
        Vector x = one.before, y = one.after;
        for (std::size_t lane = 0; lane < weights_.size(); ++lane)
            if (applied_ == Applied::before)
                x[lane] *= weights_[lane];
            else
                y[lane] /= weights_[lane];
        return norm(y) / (amplitude_ * norm(x));
    }

    bool fit(const Vector& factors, double tolerance) {
        weights_.assign(spec_.head_dim, 1);
        for (std::size_t i = 0; i < spec_.rotary_dim / 2; ++i)
            if (!fit_lanes(lanes_of_pair(spec_, i), written_lanes_of_pair(spec_, i), factors,
                           tolerance))
                return false;
        const std::vector<std::size_t> passed = passed_lanes(spec_);
        return std::ranges::all_of(passed, [&](std::size_t lane) {
            return fit_lanes({lane, lane}, {lane, lane}, factors, tolerance);
        });
    }

    struct Squares {
        double first, second, whole;
    };

    // Of a row the squares that are multiplied, and what they add up to.
    Squares squares(const SampledVector& one, const Lanes& read, const Lanes& written,
                    double factor) const {
        const auto of = [](const Vector& vector, const Lanes& lanes, double by) {
            const double first = vector[lanes.first] * by;
            const double second = lanes.first == lanes.second ? 0 : vector[lanes.second] * by;
            return std::pair(first * first, second * second);
        };
        const auto x = of(one.before, read, factor * amplitude_), y = of(one.after, written, 1);
        return applied_ == Applied::before ? Squares{x.first, x.second, y.first + y.second}
                                           : Squares{y.first, y.second, x.first + x.second};
    }

    // Each row in proportion to what its squares add up to.
    bool fit_lanes(const Lanes& read, const Lanes& written, const Vector& factors,
                   double tolerance) {
        std::vector<TwoTerms> rows;
        for (std::size_t k = 0; k < sampled_.size(); ++k) {
            const Squares row = squares(sampled_[k], read, written, factors[k]);
            if (row.first + row.second == 0 && row.whole == 0) continue;
            rows.push_back({row.first / row.whole, row.second / row.whole});
        }
        if (rows.empty()) return true;
        const auto found = fit_to_one(rows, tolerance, read.first == read.second);
        if (!found) return false;
        const auto [a, b] = *found;
        const bool is_before = applied_ == Applied::before;
        const Lanes& own = is_before ? read : written;
        weights_[own.first] = std::sqrt(is_before ? a : 1 / a);
        weights_[own.second] = std::sqrt(is_before ? b : 1 / b);
        return true;
    }

    // Lanes that do not rotate become what they are on the other side, where they are within
    // rounding of it.
    Vector changed_rows() const {
        const std::size_t lanes = spec_.head_dim;
        Vector all;
        all.reserve(dump_.positions.size() * lanes);
        const std::vector<std::size_t> passed = passed_lanes(spec_);
        SampledVector one{0, Vector(lanes), Vector(lanes)};
        for (std::size_t row = 0; row < dump_.positions.size(); ++row) {
            dump_.before.read(row, 0, lanes, one.before.data());
            dump_.after.read(row, 0, lanes, one.after.data());
            const double factor = measured_factor(one);
            const bool is_before = applied_ == Applied::before;
            Vector& own = is_before ? one.before : one.after;
            const Vector& other = is_before ? one.after : one.before;
            for (std::size_t lane = 0; lane < lanes; ++lane)
                own[lane] = is_before ? own[lane] * weights_[lane] * factor
                                      : own[lane] / (weights_[lane] * factor);
            for (const std::size_t lane : passed)
                if (std::abs(own[lane] - other[lane]) <= tolerance_ * std::abs(other[lane]))
                    own[lane] = other[lane];
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }

    NamedMistake name() const {
        const auto [low, high] = std::ranges::minmax(weights_);
        const std::string applied = applied_ == Applied::before ? "before" : "after";
        const double least = few_digits(low, 0.01), most = few_digits(high, 0.01);
        return {"lane-scale",
                {{"applied", applied},
                 {"least", least},
                 {"most", most},
                 {"rule", std::string(is_normalised_ ? "norm" : "weights")}},
                (is_normalised_ ? "vectors are normalised and every lane" : "every lane") +
                    std::string(" is multiplied by a number of its own, ") + decimal(least) +
                    " to " + decimal(most) + ", " + applied + " the rotation"};
    }

    const Spec& spec_;
    const RotatedDump& dump_;
    Applied applied_;
    bool is_normalised_;
    double tolerance_, amplitude_;
    std::vector<SampledVector> sampled_;
    Vector weights_;  // of each lane, before or after
};

}  // namespace

void clear_of_weights(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained) {
    using Applied = LaneWeights::Applied;
    if (dump.positions.size() * asked.head_dim > most_changed_lanes) return;
    for (const Spec& spec : in_both_layouts(asked))
        for (const bool is_normalised : {false, true})
            for (const Applied applied : {Applied::before, Applied::after}) {
                LaneWeights weights(spec, dump, applied, is_normalised);
                if (!weights.are_found()) continue;
                if (is_explained(weights.cleared())) return;
                if (weights.take_signs() && is_explained(weights.cleared())) return;
            }
}

}  // namespace rope
