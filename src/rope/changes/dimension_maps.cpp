#include <span>
#include <tuple>

#include "rope/changes/cleared.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/exact/format.hpp"

namespace rope {
namespace {

constexpr std::size_t least_vectors = 8;

// A place of a change in the computation, and its name in a mistake's parameters.
struct ChangePlace {
    Spec spec;  // with the layout of the pairs
    bool is_before;

    const char* applied() const { return is_before ? "before" : "after"; }
};

// Returns the places before and after the rotation of the Spec's pairs, then of the other layout's.
std::vector<ChangePlace> places_of_change(const Spec& asked) {
    const Spec other = in_other_layout(asked);
    return {{asked, true}, {asked, false}, {other, true}, {other, false}};
}

// Vectors whose dimensions are changed before or after the rotation.
class ChangedDimensions {
  public:
    ChangedDimensions(const ChangePlace& place, const Undoing& of)
        : place_(place),
          of_(of),
          is_before_(place.is_before),
          tolerance_(16 * half_spacing(of.vectors().format, 1)),
          amplitude_(frequencies_of(place.spec).amplitude),
          pairs_(pairs_of(place.spec, of.rows.heads())) {}

  protected:
    // Whether the first sampled row is at position 0, where a rotation changes nothing.
    bool begins_at_zero() const {
        return of_.vectors().positions[of_.sampled.front().row] == 0 &&
               of_.vectors().more_positions.empty();
    }
    const Dimensions& own(const PairOfDimensions& pair) const {
        return is_before_ ? pair.read : pair.written;
    }

    const ChangePlace& place_;
    const Undoing& of_;
    bool is_before_;
    double tolerance_, amplitude_;
    std::vector<PairOfDimensions> pairs_;
};

// A rotation keeps |x1, x2|, so whatever the angles
//   |y|² − |x|² = 2·b·x + |b|²   for y = R (x + b),
//   |y|² − |x|² = 2·b·y − |b|²   for y = R x + b.
// If b is far larger than x, the row at position 0, y = x + b, determines b better.
class DimensionShift : ChangedDimensions {
  public:
    using ChangedDimensions::ChangedDimensions;

    bool is_explained_without(const Vector& shift) const {
        const double sign = is_before_ ? 1 : -1;
        const auto undo = [&](SampledVector& one) {
            Vector& own = is_before_ ? one.before : one.after;
            for (std::size_t k = 0; k < own.size(); ++k) own[k] += sign * shift[k];
        };
        return of_.is_explained_without({name(shift), place_.spec, undo, 8});
    }

    std::optional<Vector> of_first_row() const {
        if (!begins_at_zero()) return std::nullopt;
        const SampledVector& first = of_.sampled.front();
        Vector shift(of_.rows.dimensions());
        for (const PairOfDimensions& pair : pairs_) {
            // the attention factor does not apply to unrotated dimensions
            const double a = pair.is_passed() ? 1 : amplitude_;
            const auto take = [&](std::size_t read, std::size_t written) {
                shift[is_before_ ? read : written] =
                    is_before_ ? first.after[written] / a - first.before[read]
                               : first.after[written] - a * first.before[read];
            };
            take(pair.read.first, pair.written.first);
            take(pair.read.second, pair.written.second);
        }
        return shift;
    }

    Vector of_least_squares() const {
        Vector shift(of_.rows.dimensions());
        for (const PairOfDimensions& pair : pairs_) {
            const auto [first, second] = own(pair);
            if (pair.is_passed())
                shift[first] = mean_move(first);
            else
                std::tie(shift[first], shift[second]) = fitted(pair);
        }
        return shift;
    }

  private:
    double mean_move(std::size_t dimension) const {
        double sum = 0;
        for (const SampledVector& one : of_.sampled)
            sum += one.after[dimension] - one.before[dimension];
        return sum / static_cast<double>(of_.sampled.size());
    }
    std::pair<double, double> fitted(const PairOfDimensions& pair) const {
        LeastSquares<3> fit;
        for (const SampledVector& one : of_.sampled) {
            const double x = amplitude_ * norm_at(one.before, pair.read),
                         y = norm_at(one.after, pair.written), squares = x * x + y * y;
            if (squares == 0) continue;
            const Vector& of = is_before_ ? one.before : one.after;
            const double scale = 2 * (is_before_ ? amplitude_ * amplitude_ : 1);
            fit.add({scale * of[own(pair).first], scale * of[own(pair).second], 1}, y * y - x * x,
                    1 / (squares * squares));
        }
        const auto [first, second, rest] = fit.solution();
        return {first, second};
    }

    NamedMistake name(const Vector& shift) const {
        double most = 0;
        for (const double one : shift) most = std::max(most, std::abs(one));
        return named("dimension-shift",
                     {{"added", place_.applied()}, {"most", few_digits(most, 0.01)}},
                     {{"of_head", of_.rows.heads() > 1 ? "of each head's own " : ""}});
    }
};

// The dimensions over which a norm is taken.
enum class Normed { none, head, all_heads };

// A rotation keeps |x1, x2|, so whatever the angles
//   w1²·x1² + w2²·x2² = y1² + y2²   for y = R (w ⊙ x),
//   y1²/w1² + y2²/w2² = x1² + x2²   for y = w ⊙ R x:
// two unknowns per pair, linear in every row. A common factor of all weights counts as part of the
// attention factor.
class DimensionWeights : ChangedDimensions {
  public:
    DimensionWeights(const ChangePlace& place, const Undoing& of, Normed normed)
        : ChangedDimensions(place, of),
          normed_(normed),
          normed_dimensions_(normed == Normed::head ? place.spec.head_dim : of.rows.dimensions()) {}

    // Returns whether weights fit that differ within each head.
    bool are_found() {
        if (of_.sampled.size() < least_vectors || !find_weights()) return false;
        const std::size_t head_dim = place_.spec.head_dim;
        for (std::size_t first = 0; first < of_.rows.dimensions(); first += head_dim) {
            const auto [low, high] = std::ranges::minmax(part(weights_, first, head_dim));
            if (!(high > low * (1 + 4 * tolerance_))) return false;
        }
        return true;
    }

    // Takes the signs of the row at position 0, where a rotation changes none. Returns whether one
    // is negative.
    bool take_signs() {
        if (!begins_at_zero()) return false;
        const SampledVector& first = of_.sampled.front();
        const auto take = [&](std::size_t read, std::size_t written) {
            double& weight = weights_[is_before_ ? read : written];
            weight = std::copysign(weight, first.before[read] * first.after[written]);
        };
        for (const auto& [read, written] : pairs_) {
            take(read.first, written.first);
            take(read.second, written.second);
        }
        return std::ranges::any_of(weights_, [](double weight) { return weight < 0; });
    }

    Cleared cleared() const {
        return {name(), of_.rows.changed([&](SampledVector& one) { undo(one); }), 4};
    }

  private:
    static std::span<const double> part(const Vector& of, std::size_t first,
                                        std::size_t dimensions) {
        return std::span(of).subspan(first, dimensions);
    }

    // A norm's eps changes the factor of small vectors, so the factors and the weights are fitted
    // in turn.
    bool find_weights() {
        constexpr double eps = 0x1p-10;
        constexpr int most_rounds = 12;
        std::vector<Vector> usual;
        for (const SampledVector& each : of_.sampled) usual.push_back(usual_factors(each));
        const double loose = is_normalised() ? std::max(eps, tolerance_) : tolerance_;
        if (!fit(usual, loose)) return false;
        bool is_fit = !is_normalised();
        for (int round = 0; !is_fit && round < most_rounds; ++round) {
            std::vector<Vector> factors;
            for (std::size_t k = 0; k < of_.sampled.size(); ++k) {
                factors.push_back(measured_factors(of_.sampled[k]));
                for (std::size_t n = 0; n < usual[k].size(); ++n)
                    if (!(std::abs(factors[k][n] / usual[k][n] - 1) <= loose)) return false;
            }
            is_fit = fit(factors, tolerance_);
            if (!is_fit && !fit(factors, loose)) return false;
        }
        return is_fit;
    }

    bool is_normalised() const { return normed_ != Normed::none; }

    // √d/|x| of each norm, or 1.
    Vector usual_factors(const SampledVector& one) const {
        Vector factors;
        for (std::size_t first = 0; first < of_.rows.dimensions(); first += normed_dimensions_)
            factors.push_back(is_normalised()
                                  ? std::sqrt(normed_dimensions_) /
                                        norm(part(one.before, first, normed_dimensions_))
                                  : 1);
        return factors;
    }
    // The factor of each norm, given the weights.
    Vector measured_factors(const SampledVector& one) const {
        if (!is_normalised()) return {1};
        Vector x = one.before, y = one.after, factors;
        for (std::size_t dimension = 0; dimension < weights_.size(); ++dimension)
            if (is_before_)
                x[dimension] *= weights_[dimension];
            else
                y[dimension] /= weights_[dimension];
        for (std::size_t first = 0; first < of_.rows.dimensions(); first += normed_dimensions_)
            factors.push_back(norm(part(y, first, normed_dimensions_)) /
                              (amplitude_ * norm(part(x, first, normed_dimensions_))));
        return factors;
    }

    bool fit(const std::vector<Vector>& factors, double tolerance) {
        weights_.assign(of_.rows.dimensions(), 1);
        return std::ranges::all_of(pairs_, [&](const PairOfDimensions& pair) {
            return fit_dimensions(pair, factors, tolerance);
        });
    }

    struct Squares {
        double first, second, whole;
    };

    // The squares of a pair that the unknowns multiply, and their sum.
    Squares squares(const SampledVector& one, const PairOfDimensions& pair, double factor) const {
        const auto of = [&](const Vector& vector, const Dimensions& dimensions, double by) {
            const double first = vector[dimensions.first] * by;
            const double second = pair.is_passed() ? 0 : vector[dimensions.second] * by;
            return std::pair(first * first, second * second);
        };
        const auto x = of(one.before, pair.read, factor * amplitude_),
                   y = of(one.after, pair.written, 1);
        return is_before_ ? Squares{x.first, x.second, y.first + y.second}
                          : Squares{y.first, y.second, x.first + x.second};
    }

    // Each row is divided by its sum of squares.
    bool fit_dimensions(const PairOfDimensions& pair, const std::vector<Vector>& factors,
                        double tolerance) {
        std::vector<TwoTerms> rows;
        for (std::size_t k = 0; k < of_.sampled.size(); ++k) {
            const double factor = factors[k][pair.read.first / normed_dimensions_];
            const Squares row = squares(of_.sampled[k], pair, factor);
            if (row.first + row.second == 0 && row.whole == 0) continue;
            rows.push_back({row.first / row.whole, row.second / row.whole});
        }
        if (rows.empty()) return true;
        const auto found = fit_to_one(rows, tolerance, pair.is_passed());
        if (!found) return false;
        const auto [a, b] = *found;
        weights_[own(pair).first] = std::sqrt(is_before_ ? a : 1 / a);
        weights_[own(pair).second] = std::sqrt(is_before_ ? b : 1 / b);
        return true;
    }

    // Undoes the weights of x or y. An unrotated dimension within rounding of the other side's
    // value is set to it.
    void undo(SampledVector& one) const {
        const Vector factors = measured_factors(one);
        Vector& own = is_before_ ? one.before : one.after;
        const Vector& other = is_before_ ? one.after : one.before;
        for (std::size_t dimension = 0; dimension < own.size(); ++dimension) {
            const double weight = weights_[dimension] * factors[dimension / normed_dimensions_];
            own[dimension] = is_before_ ? own[dimension] * weight : own[dimension] / weight;
        }
        for (const PairOfDimensions& pair : pairs_)
            if (const std::size_t dimension = pair.read.first;
                pair.is_passed() && std::abs(own[dimension] - other[dimension]) <=
                                        tolerance_ * std::abs(other[dimension]))
                own[dimension] = other[dimension];
    }

    NamedMistake name() const {
        const auto [low, high] = std::ranges::minmax(weights_);
        static constexpr const char* rules[] = {"weights", "norm", "norm of all heads"};
        const bool of_each_head = of_.rows.heads() > 1;
        NamedMistake name = named("dimension-scale",
                                  {{"applied", place_.applied()},
                                   {"least", few_digits(low, 0.01)},
                                   {"most", few_digits(high, 0.01)},
                                   {"rule", rules[static_cast<std::size_t>(normed_)]}},
                                  {{"of_head", of_each_head ? "of each head " : ""}});
        if (of_each_head) name.parameters.emplace_back("weights", "of each head");
        return name;
    }

    Normed normed_;
    std::size_t normed_dimensions_;
    Vector weights_;  // per dimension, of x or of y
};

}  // namespace

bool clear_of_shift(const Undoing& of) {
    if (of.sampled.size() < least_vectors) return false;
    return std::ranges::any_of(places_of_change(of.asked), [&](const ChangePlace& place) {
        const DimensionShift shift(place, of);
        if (shift.is_explained_without(shift.of_least_squares())) return true;
        const auto first = shift.of_first_row();
        return first && shift.is_explained_without(*first);
    });
}

bool clear_of_weights(const Undoing& of) {
    for (const ChangePlace& place : places_of_change(of.asked))
        for (const Normed normed : {Normed::none, Normed::head, Normed::all_heads}) {
            if (normed == Normed::all_heads && of.rows.heads() == 1) continue;
            DimensionWeights weights(place, of, normed);
            if (!weights.are_found()) continue;
            if (of.is_explained(weights.cleared()) ||
                (weights.take_signs() && of.is_explained(weights.cleared())))
                return true;
        }
    return false;
}

bool clear_of_transform(const Undoing& of) {
    constexpr std::size_t least = 16;
    const std::size_t head_dim = of.asked.head_dim;
    std::size_t dimensions = 1;
    while (head_dim % (2 * dimensions) == 0) dimensions *= 2;
    // undoing H of all dimensions by that of each half keeps the norms of half_split pairs, and
    // fails later
    for (const ChangePlace& place : places_of_change(of.asked))
        for (std::size_t each = dimensions; each >= least; each /= 2) {
            const auto undo = [&](SampledVector& one) {  // H/√n is its inverse
                const std::span own(place.is_before ? one.before : one.after);
                for (std::size_t from = 0; from < own.size(); from += each)
                    hadamard_transform(own.subspan(from, each));
            };
            NamedMistake mistake = named(
                "hadamard", {{"applied", place.applied()}, {"dimensions", std::uint64_t{each}}},
                {{"which", each == head_dim ? "all" : "each"}});
            if (of.is_explained_without({std::move(mistake), place.spec, undo})) return true;
        }
    return false;
}

}  // namespace rope
