#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "rope/diagnose/search/position_map.hpp"

namespace rope {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr double most_branches = 256;

// As std::remainder of a full turn, which takes a division for each bit of the quotient.
double within_half_a_turn(double angle) {
    return angle - full_turn * std::nearbyint(angle / full_turn);
}

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

// But for the pairs whose frequency is not finite.
bool is_finite_row(const Samples& samples, const Hypothesis& hypothesis, std::size_t row) {
    for (std::uint32_t i = 0; i < samples.pairs; ++i)
        if (std::isfinite(hypothesis.theta[i]) &&
            std::isnan(samples.modulus[row * samples.pairs + i]))
            return false;
    return true;
}

// How far storage moves an angle, and what is off the circle altogether.
std::optional<double> turn_allowance(const Samples& samples, const Hypothesis& hypothesis,
                                     std::size_t row, std::uint32_t i, double position) {
    const double modulus = samples.modulus[row * samples.pairs + i] / hypothesis.amplitude;
    const double allowed = sample_allowance(samples, hypothesis, position, i);
    const double off_circle = std::abs(modulus - 1);
    if (!(off_circle <= allowed)) return std::nullopt;
    return std::min(allowed / std::sqrt(modulus) * 1.01, std::numbers::pi);
}

}  // namespace

std::optional<double> fit_position(const Samples& samples, const Hypothesis& hypothesis,
                                   std::size_t row) {
    if (!is_finite_row(samples, hypothesis, row)) return std::numeric_limits<double>::quiet_NaN();
    const double should = samples.position(row, 0);
    const double last = samples.positions[0].back();
    const double most = std::max(4 * last, 4096.0);
    std::vector<Interval> places;
    bool first = true;
    for (const std::uint32_t i : slowest_first(hypothesis)) {
        const double theta = hypothesis.theta[i];
        const double angle = oriented(hypothesis.turn, samples.angle[row * samples.pairs + i]);
        if (Samples::is_left_out(samples.modulus[row * samples.pairs + i])) continue;
        std::vector<Interval> narrowed;
        if (first) {
            const double period = std::abs(full_turn / theta);
            // beyond as many branches, those around the right position
            const bool all = 2 * most / period <= most_branches;
            const double middle = all ? 0 : should;
            const double reach = all ? most : most_branches / 2 * period;
            const double first_turn = std::floor((middle - reach) / period);
            const auto turns = static_cast<int>(std::ceil((middle + reach) / period) - first_turn);
            for (int k = 0; k <= turns; ++k) {
                const double place = angle / theta + period * (first_turn + k);
                const auto allowed = turn_allowance(samples, hypothesis, row, i, place);
                if (!allowed) return std::nullopt;
                narrowed.push_back({place, *allowed / std::abs(theta)});
            }
        } else {
            for (const Interval& place : places) {
                const auto allowed = turn_allowance(samples, hypothesis, row, i, place.position);
                if (!allowed) return std::nullopt;
                const double expected = theta * place.position;
                const double off = within_half_a_turn(angle - expected);
                const double reach = *allowed + std::abs(theta) * place.tolerance;
                if (std::abs(off) > reach) continue;
                const double own = *allowed / std::abs(theta);
                narrowed.push_back(
                    own < place.tolerance ? Interval{place.position + off / theta, own} : place);
            }
        }
        first = false;
        places = std::move(narrowed);
        if (places.empty()) return std::nullopt;
    }
    if (places.empty()) return std::nullopt;
    std::erase_if(places, [&](const Interval& place) {
        return !(std::abs(place.position - should) - place.tolerance <= most);
    });
    if (places.empty()) return std::nullopt;
    return std::min_element(places.begin(), places.end(),
                            [&](const Interval& a, const Interval& b) {
                                return std::abs(a.position - should) <
                                       std::abs(b.position - should);
                            })
        ->position;
}

}  // namespace rope
