#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "rope/changes/positions.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

// The positions that an integer type would make of `position`. uint32 is tried only if other rows
// have positive positions, which do not change: near 2^32 float32 has few distinct angles.
std::vector<double> wrapped(double position, bool has_positive) {
    std::vector<double> places;
    for (const double size : {0x1p8, 0x1p16}) {
        const double rest = std::fmod(position, size);
        places.insert(places.end(), {rest, rest < 0 ? rest + size : rest - size});
    }
    if (position >= 0x1p31) places.push_back(position - 0x1p32);
    if (position < 0 && has_positive) places.push_back(position + 0x1p32);
    return places;
}

constexpr double most_branches = 256;

struct Interval {
    double position, tolerance;
};

std::vector<std::uint32_t> slowest_first(const Hypothesis& hypothesis) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < hypothesis.theta.size(); ++i)
        if (std::abs(hypothesis.theta[i]) > 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(std::abs(hypothesis.theta[a]), a) <
               std::pair(std::abs(hypothesis.theta[b]), b);
    });
    return order;
}

// Whether all pairs with a finite frequency have finite values.
bool is_finite_row(const Samples& samples, const Hypothesis& hypothesis, std::size_t row) {
    for (std::uint32_t i = 0; i < samples.pairs; ++i)
        if (std::isfinite(hypothesis.theta[i]) &&
            std::isnan(samples.modulus[row * samples.pairs + i]))
            return false;
    return true;
}

// The positions that agree with the pairs of a row. Each further pair removes and narrows some.
class RowPlaces {
  public:
    RowPlaces(const Samples& samples, const Hypothesis& hypothesis, double stored, std::size_t row)
        : samples_(samples), hypothesis_(hypothesis), row_(row), stored_(stored) {}

    // Starts with one position per turn of a pair: those within `most` of 0 or, if these are more
    // than most_branches, around `should`; and those next to `also`. Returns false if the pair fits
    // no position.
    bool start(std::uint32_t pair, double should, std::span<const double> also, double most) {
        const double period = std::abs(full_turn / hypothesis_.theta[pair]);
        if (!(period > 0)) return false;  // θ is infinite or NaN
        const bool are_few = 2 * most / period <= most_branches;
        const double middle = are_few ? 0 : should,
                     reach = are_few ? most : most_branches / 2 * period;
        const auto add_next_to = [&](double place) {
            return std::abs(place - middle) <= reach || add_turns(pair, place, period);
        };
        return add_turns(pair, middle, reach) && add_next_to(should) &&
               std::ranges::all_of(also, add_next_to);
    }

    bool add_turns(std::uint32_t pair, double middle, double reach) {
        const double theta = hypothesis_.theta[pair], period = std::abs(full_turn / theta);
        const double first_turn = std::floor((middle - reach) / period);
        const auto turns = static_cast<int>(std::ceil((middle + reach) / period) - first_turn);
        for (int k = 0; k <= turns; ++k) {
            const double place = angle(pair) / theta + period * (first_turn + k);
            const auto allowed = tolerance(pair, place, modulus(pair));
            if (!allowed) return false;
            places_.push_back({place, *allowed / std::abs(theta)});
        }
        return true;
    }

    // Removes the positions that disagree with the pair. Returns whether any is left.
    bool narrow(std::uint32_t pair) {
        const double theta = hypothesis_.theta[pair], seen = angle(pair), norm = modulus(pair);
        auto narrowed = places_.begin();
        for (const Interval place : places_) {
            const auto allowed = tolerance(pair, place.position, norm);
            if (!allowed) return false;
            const double off = within_half_a_turn(seen - theta * place.position);
            if (std::abs(off) > *allowed + std::abs(theta) * place.tolerance) continue;
            const double own = *allowed / std::abs(theta);
            *narrowed++ =
                own < place.tolerance ? Interval{place.position + off / theta, own} : place;
        }
        places_.erase(narrowed, places_.end());
        return !places_.empty();
    }

    bool is_one() const {
        return std::ranges::all_of(places_, [&](const Interval& one) {
            return std::abs(one.position - places_.front().position) < 1;
        });
    }

    // The position nearest to `middle`, at most so far away.
    std::optional<double> nearest(double middle, double most) const {
        std::optional<double> found;
        for (const Interval& place : places_) {
            const double off = std::abs(place.position - middle);
            if (off - place.tolerance <= most && (!found || off < std::abs(*found - middle)))
                found = place.position;
        }
        return found;
    }

  private:
    double angle(std::uint32_t pair) const {
        return oriented(hypothesis_.turn, samples_.angle[row_ * samples_.pairs + pair]);
    }
    // The tolerance of the pair's angle, radians; none if the modulus is out of tolerance.
    std::optional<double> tolerance(std::uint32_t pair, double place, double modulus) const {
        const double allowed = angle_tolerance(samples_, hypothesis_, place, pair) + stored_;
        const double off_circle = std::abs(modulus - 1);
        if (!(off_circle <= allowed)) return std::nullopt;
        return std::min(allowed / std::sqrt(modulus) * 1.01, std::numbers::pi);
    }
    double modulus(std::uint32_t pair) const {
        return samples_.modulus[row_ * samples_.pairs + pair] / hypothesis_.amplitude;
    }

    const Samples& samples_;
    const Hypothesis& hypothesis_;
    std::size_t row_;
    double stored_;
    std::vector<Interval> places_;
};

// If too many positions may fit, only those near the right position and near `also` are tried.
std::optional<double> fit_place(const Samples& samples, const Hypothesis& hypothesis,
                                std::vector<std::uint32_t> pairs, double should, double stored,
                                std::size_t row, std::span<const double> also) {
    if (!is_finite_row(samples, hypothesis, row)) return std::numeric_limits<double>::quiet_NaN();
    const double usual = std::max(4 * std::abs(samples.positions[0].back()), 16384.0),
                 most = samples.ids.empty() ? std::max(usual, samples.context) : usual;
    std::erase_if(pairs, [&](std::uint32_t pair) {
        return Samples::is_left_out(samples.modulus[row * samples.pairs + pair]);
    });
    RowPlaces places(samples, hypothesis, stored, row);
    for (const std::uint32_t pair : pairs)
        if (!(pair == pairs.front() ? places.start(pair, should, also, most) : places.narrow(pair)))
            return std::nullopt;
    if (const auto near = places.nearest(should, usual)) return near;
    for (const double place : also)
        if (const auto far = places.nearest(place, 1)) return far;
    return places.is_one() ? places.nearest(should, most) : std::nullopt;
}

// `is_of_an_axis`: the samples have one of several axes, and only its pairs.
std::optional<Places> places_by(const Samples& samples, const Hypothesis& hypothesis,
                                bool is_of_an_axis, Effort* effort) {
    if (samples.rows() < 2) return std::nullopt;
    const auto pair = static_cast<std::uint32_t>(
        std::ranges::max_element(hypothesis.theta, {},
                                 [](double theta) { return std::abs(theta); }) -
        hypothesis.theta.begin());
    const double fastest = std::abs(hypothesis.theta[pair]);
    if (!(fastest > 0)) return std::nullopt;
    const double storage = stored_tolerance(samples, hypothesis);
    const bool has_positive =
        std::ranges::any_of(samples.positions[0], [](double m) { return m > 0; });
    const std::size_t rows = samples.rows();
    Places places(rows);
    const std::vector<std::uint32_t> pairs = slowest_first(hypothesis);
    std::optional<double> before;  // of the row before, on an axis
    for (std::size_t k = 0; k < rows; ++k) {
        // the last row first if rows are independent: near position 0 many rules fit
        const std::size_t row = is_of_an_axis ? k : rows - 1 - k;
        if (effort && !effort->spend(pairs.size())) return std::nullopt;
        const double position = samples.position(row, 0);
        std::vector<double> likely = wrapped(position, has_positive);  // tried as well
        if (before) likely.insert(likely.begin(), {0, *before});
        const auto own = fit_place(samples, hypothesis, pairs, position, storage, row, likely);
        if (!own) return std::nullopt;
        if (is_of_an_axis && std::isfinite(*own)) before = own;
        double tolerance = storage / fastest;
        if (!std::isnan(*own))
            tolerance += angle_k_at(hypothesis, *own, pair) * 0x1p-24 * std::abs(*own);
        places[row] = {position, *own, 1.5 * tolerance,
                       storage / 2 / fastest + 2 * 0x1p-24 * std::abs(position)};
    }
    return places;
}

}  // namespace

std::optional<double> fit_position(const Samples& samples, const Hypothesis& hypothesis,
                                   std::size_t row, std::optional<std::uint32_t> axis) {
    std::vector<std::uint32_t> pairs = slowest_first(hypothesis);
    std::erase_if(pairs, [&](std::uint32_t pair) { return axis && hypothesis.axis[pair] != axis; });
    return fit_place(samples, hypothesis, std::move(pairs), samples.position(row, axis.value_or(0)),
                     stored_tolerance(samples, hypothesis), row, {});
}

std::optional<Places> places_of(const Samples& samples, const Hypothesis& hypothesis,
                                Effort* effort) {
    return places_by(samples, hypothesis, false, effort);
}

std::optional<Places> places_on_axis(const Samples& samples, const std::vector<double>& ids,
                                     const std::vector<std::uint32_t>& pairs,
                                     const Hypothesis& hypothesis) {
    Hypothesis own{.theta = {}, .angle_k = {}, .axis = {}};
    own.axis.assign(pairs.size(), 0);
    own.amplitude = hypothesis.amplitude;
    own.turn = hypothesis.turn;
    own.rounding = hypothesis.rounding;
    for (const std::uint32_t pair : pairs) {
        own.theta.push_back(hypothesis.theta[pair]);
        own.angle_k.push_back(hypothesis.angle_k[pair]);
    }
    return places_by(at_places(samples, ids, pairs), own, true, nullptr);
}

}  // namespace rope
