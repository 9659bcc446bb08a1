#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/fit_to_one.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;

double norm(std::span<const double> vector) {
    double squares = 0;
    for (const double x : vector) squares += x * x;
    return std::sqrt(squares);
}

// Which lanes a norm takes together.
enum class Normed { none, head, all_heads };
enum class Applied { before, after };

// A rotation keeps |x1, x2|, so that whatever the angles
//   w1²·x1² + w2²·x2² = y1² + y2²   of y = R (w ⊙ x),
//   y1²/w1² + y2²/w2² = x1² + x2²   of y = w ⊙ R x:
// two unknowns of each pair, linear in every row. A factor of all of them is the Spec's attention
// factor, as far as it has one.
class LaneWeights {
  public:
    LaneWeights(const Spec& spec, const JoinedHeads& rows,
                const std::vector<SampledVector>& sampled, Applied applied, Normed normed)
        : spec_(spec),
          rows_(rows),
          sampled_(sampled),
          applied_(applied),
          normed_(normed),
          normed_lanes_(normed == Normed::head ? spec.head_dim : rows.lanes()),
          tolerance_(16 * half_spacing(rows.source().format, 1)),
          amplitude_(frequencies_of(spec).amplitude),
          pairs_(pairs_of(spec, rows.heads())) {}

    // Those of each head must differ.
    bool are_found() {
        constexpr std::size_t least = 8;
        if (sampled_.size() < least || !find_weights()) return false;
        for (std::size_t first = 0; first < rows_.lanes(); first += spec_.head_dim) {
            const auto [low, high] = std::ranges::minmax(part(weights_, first, spec_.head_dim));
            if (!(high > low * (1 + 4 * tolerance_))) return false;
        }
        return true;
    }

    // Those of the row at position 0, where a rotation changes none; whether any is negative.
    bool take_signs() {
        const SampledVector& first = sampled_.front();
        const RotatedDump& dump = rows_.source();
        if (dump.positions[first.row] != 0 || !dump.more_positions.empty()) return false;
        const auto take = [&](std::size_t read, std::size_t written) {
            double& weight = weights_[applied_ == Applied::before ? read : written];
            weight = std::copysign(weight, first.before[read] * first.after[written]);
        };
        for (const auto& [read, written] : pairs_) {
            take(read.first, written.first);
            take(read.second, written.second);
        }
        return std::ranges::any_of(weights_, [](double weight) { return weight < 0; });
    }

    Cleared cleared() const {
        RotatedDump changed = rows_.source();
        (applied_ == Applied::before ? changed.before : changed.after) =
            StridedRows(changed_rows(), spec_.head_dim);
        return {name(), std::move(changed), 4};
    }

  private:
    static std::span<const double> part(const Vector& of, std::size_t first, std::size_t lanes) {
        return std::span(of).subspan(first, lanes);
    }

    // The eps of a norm shows where a vector is small: each norm's factor by the weights, then
    // these by the factors.
    bool find_weights() {
        constexpr double eps = 0x1p-10;
        constexpr int most_rounds = 12;
        std::vector<Vector> usual;
        for (const SampledVector& each : sampled_) usual.push_back(usual_factors(each));
        const double loose = is_normalised() ? std::max(eps, tolerance_) : tolerance_;
        if (!fit(usual, loose)) return false;
        bool is_fit = !is_normalised();
        for (int round = 0; !is_fit && round < most_rounds; ++round) {
            std::vector<Vector> factors;
            for (std::size_t k = 0; k < sampled_.size(); ++k) {
                factors.push_back(measured_factors(sampled_[k]));
                for (std::size_t n = 0; n < usual[k].size(); ++n)
                    if (!(std::abs(factors[k][n] / usual[k][n] - 1) <= loose)) return false;
            }
            is_fit = fit(factors, tolerance_);
            if (!is_fit && !fit(factors, loose)) return false;
        }
        return is_fit;
    }

    bool is_normalised() const { return normed_ != Normed::none; }

    // Of each norm.
    Vector usual_factors(const SampledVector& one) const {
        Vector factors;
        for (std::size_t first = 0; first < rows_.lanes(); first += normed_lanes_)
            factors.push_back(is_normalised() ? std::sqrt(normed_lanes_) /
                                                    norm(part(one.before, first, normed_lanes_))
                                              : 1);
        return factors;
    }
    // By the weights.
    Vector measured_factors(const SampledVector& one) const {
        if (!is_normalised()) return {1};
        Vector x = one.before, y = one.after, factors;
        for (std::size_t lane = 0; lane < weights_.size(); ++lane)
            if (applied_ == Applied::before)
                x[lane] *= weights_[lane];
            else
                y[lane] /= weights_[lane];
        for (std::size_t first = 0; first < rows_.lanes(); first += normed_lanes_)
            factors.push_back(norm(part(y, first, normed_lanes_)) /
                              (amplitude_ * norm(part(x, first, normed_lanes_))));
        return factors;
    }

    bool fit(const std::vector<Vector>& factors, double tolerance) {
        weights_.assign(rows_.lanes(), 1);
        return std::ranges::all_of(
            pairs_, [&](const PairOfLanes& pair) { return fit_lanes(pair, factors, tolerance); });
    }

    struct Squares {
        double first, second, whole;
    };

    // Of a row the squares that are multiplied, and what they add up to.
    Squares squares(const SampledVector& one, const PairOfLanes& pair, double factor) const {
        const auto of = [&](const Vector& vector, const Lanes& lanes, double by) {
            const double first = vector[lanes.first] * by;
            const double second = pair.is_passed() ? 0 : vector[lanes.second] * by;
            return std::pair(first * first, second * second);
        };
        const auto x = of(one.before, pair.read, factor * amplitude_),
                   y = of(one.after, pair.written, 1);
        return applied_ == Applied::before ? Squares{x.first, x.second, y.first + y.second}
                                           : Squares{y.first, y.second, x.first + x.second};
    }

    // Each row in proportion to what its squares add up to.
    bool fit_lanes(const PairOfLanes& pair, const std::vector<Vector>& factors, double tolerance) {
        std::vector<TwoTerms> rows;
        for (std::size_t k = 0; k < sampled_.size(); ++k) {
            const double factor = factors[k][pair.read.first / normed_lanes_];
            const Squares row = squares(sampled_[k], pair, factor);
            if (row.first + row.second == 0 && row.whole == 0) continue;
            rows.push_back({row.first / row.whole, row.second / row.whole});
        }
        if (rows.empty()) return true;
        const auto found = fit_to_one(rows, tolerance, pair.is_passed());
        if (!found) return false;
        const auto [a, b] = *found;
        const bool is_before = applied_ == Applied::before;
        const Lanes& own = is_before ? pair.read : pair.written;
        weights_[own.first] = std::sqrt(is_before ? a : 1 / a);
        weights_[own.second] = std::sqrt(is_before ? b : 1 / b);
        return true;
    }

    // Lanes that do not rotate become what they are on the other side, where they are within
    // rounding of it.
    Vector changed_rows() const {
        Vector all(rows_.count() * rows_.lanes());
        const bool is_before = applied_ == Applied::before;
        for (std::size_t token = 0; token < rows_.count(); ++token) {
            SampledVector one = rows_.read(token);
            const Vector factors = measured_factors(one);
            Vector& own = is_before ? one.before : one.after;
            const Vector& other = is_before ? one.after : one.before;
            for (std::size_t lane = 0; lane < own.size(); ++lane) {
                const double weight = weights_[lane] * factors[lane / normed_lanes_];
                own[lane] = is_before ? own[lane] * weight : own[lane] / weight;
            }
            for (const PairOfLanes& pair : pairs_)
                if (const std::size_t lane = pair.read.first;
                    pair.is_passed() &&
                    std::abs(own[lane] - other[lane]) <= tolerance_ * std::abs(other[lane]))
                    own[lane] = other[lane];
            rows_.write(token, own, all);
        }
        return all;
    }

    NamedMistake name() const {
        const auto [low, high] = std::ranges::minmax(weights_);
        const std::string applied = applied_ == Applied::before ? "before" : "after";
        const double least = few_digits(low, 0.01), most = few_digits(high, 0.01);
        static constexpr const char* rules[] = {"weights", "norm", "norm of all heads"};
        static constexpr const char* norms[] = {
            "", "vectors are normalised and ",
            "vectors are normalised over all heads together and "};
        const auto rule = static_cast<std::size_t>(normed_);
        const bool of_each_head = rows_.heads() > 1;
        NamedMistake name{"lane-scale",
                          {{"applied", applied},
                           {"least", least},
                           {"most", most},
                           {"rule", std::string(rules[rule])}},
                          std::string(norms[rule]) + "every lane " +
                              (of_each_head ? "of each head " : "") +
                              "is multiplied by a number of its own, " + decimal(least) + " to " +
                              decimal(most) + ", " + applied + " the rotation"};
        if (of_each_head) name.parameters.emplace_back("weights", std::string("of each head"));
        return name;
    }

    const Spec& spec_;
    const JoinedHeads& rows_;
    const std::vector<SampledVector>& sampled_;
    Applied applied_;
    Normed normed_;
    std::size_t normed_lanes_;
    double tolerance_, amplitude_;
    std::vector<PairOfLanes> pairs_;
    Vector weights_;  // of each lane, before or after
};

bool are_cleared_of_weights(const Spec& asked, const JoinedHeads& rows,
                            const IsExplained& is_explained) {
    const std::vector<SampledVector> sampled = sampled_vectors(rows);
    for (const Spec& spec : in_both_layouts(asked))
        for (const Normed normed : {Normed::none, Normed::head, Normed::all_heads})
            for (const Applied applied : {Applied::before, Applied::after}) {
                if (normed == Normed::all_heads && rows.heads() == 1) continue;
                LaneWeights weights(spec, rows, sampled, applied, normed);
                if (!weights.are_found()) continue;
                if (is_explained(weights.cleared())) return true;
                if (weights.take_signs() && is_explained(weights.cleared())) return true;
            }
    return false;
}

}  // namespace

void clear_of_weights(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained) {
    if (dump.positions.size() * asked.head_dim > most_changed_lanes) return;
    if (are_cleared_of_weights(asked, JoinedHeads(dump), is_explained)) return;
    if (const RowGroups groups(dump); groups.heads() > 1)
        are_cleared_of_weights(asked, JoinedHeads(dump, groups), is_explained);
}

}  // namespace rope
