// Positions that are multiplied by a number.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/positions/places.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

// p = scale·m + offset through the rows, each by its tolerance.
struct Affine {
    double scale, offset;
};
std::optional<Affine> fit_affine(const Places& places) {
    LineSums sums;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        const double tolerance = places.tolerance[r];
        sums.add(places.should[r], places.stand[r], 1 / (tolerance * tolerance));
    }
    if (!(sums.spread() > 0)) return std::nullopt;
    return Affine{sums.slope(), sums.offset(sums.slope())};
}

constexpr double least_position_scale = 1e-4;  // nobody's mistake is beyond

}  // namespace

void try_scale(const Places& places, double unit, Rules& rules) {
    double through_zero = 0, weights = 0;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        if (std::isnan(places.stand[r])) return;
        const double m = places.should[r], w = 1 / (places.error[r] * places.error[r]);
        through_zero += w * m * places.stand[r];
        weights += w * m * m;
    }
    if (weights == 0) return;
    const double own = through_zero / weights;
    if (own < 0) return;  // that is the other direction
    if (!(own > least_position_scale && own < 1 / least_position_scale)) return;
    const double tolerance = 1e-7 + 2 / (std::sqrt(weights) * std::min(1.0, own));  // relative
    const auto written = written_scale(own, tolerance, unit);
    // any other explains the rows only where nothing else is wrong
    const double scale = written ? written->scale : few_digits(own, tolerance);
    if (scale != 1 && places.follow([&](double m) { return scale * m; })) {
        rules.push_back({"position-scale",
                         {{"scale", scale}},
                         "positions are multiplied by " + decimal(scale),
                         {.kind = PositionMap::Kind::affine, .scale = scale},
                         written ? written->cost() : 2});
        return;
    }
    const auto fit = fit_affine(places);
    if (!fit) return;
    const double offset = whole_if_near(fit->offset, 8 * least_tolerance(places));
    if (!(fit->scale > least_position_scale && fit->scale < 1 / least_position_scale)) return;
    const auto slope = written_scale(fit->scale, 1e-6, unit);
    if (!slope || slope->scale == 1 || offset == 0) return;
    const PositionMap map{
        .kind = PositionMap::Kind::affine, .scale = slope->scale, .offset = offset};
    if (!places.follow(map)) return;
    rules.push_back({"position-scale",
                     {{"scale", slope->scale}, {"offset", offset}},
                     "positions are multiplied by " + decimal(slope->scale) + " and " +
                         decimal(offset) + " is added",
                     map,
                     1 + slope->cost()});
}

}  // namespace rope
