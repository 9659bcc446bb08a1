// Where the rows of a dump are, by its own angles: what rules of positions are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "rope/diagnose/positions/position_map.hpp"

namespace rope {

// Rows by their right position and the one that they are for.
struct Places {
    std::vector<double> should, stand, tolerance;
    std::vector<double> error;  // what is to be expected, not what is allowed

    template <class Rule>
    bool follow(const Rule& rule) const {
        for (std::size_t r = 0; r < should.size(); ++r) {
            const double want = rule(should[r]);
            if (std::isnan(stand[r]) ? std::isfinite(want)
                                     : !(std::abs(stand[r] - want) <= tolerance[r]))
                return false;
        }
        return true;
    }
};

// None where a row's pairs agree on no position.
std::optional<Places> places_of(const Samples& samples, const Hypothesis& hypothesis);
// Of several axes by the pairs of one, which may all be fast and leave open which turn a row is in:
// of the rows that have an id (NaN: none) there.
std::optional<Places> places_on_axis(const Samples& samples, const std::vector<double>& ids,
                                     const std::vector<std::uint32_t>& pairs,
                                     const Hypothesis& hypothesis);

// A whole number, if one is within what the rows resolve.
inline double whole_if_near(double x, double tolerance) {
    return std::abs(x - std::round(x)) <= tolerance ? std::round(x) : x;
}

inline double least_tolerance(const Places& places) {
    return *std::min_element(places.tolerance.begin(), places.tolerance.end());
}

using Rules = std::vector<PositionRule>;

// Those that all follow, simplest first; for `unit` see position_rules(). Of places by `should`.
Rules rules_of(const Places& places, double unit);

// Positions that start over, and those that do so beside an offset.
void try_wraps(const Places& places, Rules& rules);

// Positions that gain as much again with every chunk.
void try_chunks(const Places& places, Rules& rules);

// Positions that are multiplied. For `unit` see position_rules().
void try_scale(const Places& places, double unit, Rules& rules);

}  // namespace rope
