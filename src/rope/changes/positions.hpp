// The positions at which a dump's rows are, and the rules that turn the right positions into them.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

struct DumpView;

// Returns the position, by the hypothesis' frequencies, on which all pairs of a row agree, from the
// slowest pair to the fastest, or all pairs of one axis. If several fit, the one nearest to the
// right position; none if none fits; NaN for a row that is not finite. If too many may fit, only
// those near the right position are tried.
std::optional<double> fit_position(const Samples& samples, const Hypothesis& hypothesis,
                                   std::size_t row, std::optional<std::uint32_t> axis = {});

// A rule that maps right positions to the positions of the rows.
struct PositionRule : NamedMistake {
    PositionMap map = {};
    int cost = 1;                          // number of mistakes that the rule counts for
    std::vector<std::uint32_t> axes = {};  // with several axes; empty: every axis
    // Per axis of `axes`, the index in Samples::other_ids of the ids that it is given; empty: its
    // ids.
    std::vector<std::size_t> other_ids = {};
};

// Positions around the start of a rule: the last before it, its first, and the last of all rows.
struct RowsOfSwitch {
    double before = -1, from = 0, last = 0;
};

// Returns a switched rule with its start at rows.from.
PositionRule switched_at(const PositionRule& rule, const RowsOfSwitch& rows);

// A row by right position (`should`) and actual position (`stand`; NaN if not finite).
struct PlacedRow {
    double should, stand, tolerance;
    double error;  // expected error of `stand`, smaller than the tolerance

    double move() const { return std::round(stand - should); }
    bool is_at(double position) const {
        return std::isnan(stand) ? !std::isfinite(position)
                                 : std::abs(stand - position) <= tolerance;
    }
};
using Places = std::vector<PlacedRow>;

double least_tolerance(const Places& places);

// Returns the places of all rows; none if a row's pairs agree on no position, or if the effort is
// spent.
std::optional<Places> places_of(const Samples& samples, const Hypothesis& hypothesis,
                                Effort* effort = nullptr);
// Returns the places on one of several axes, from its pairs and the rows with an id (not NaN). All
// pairs may be fast and permit several positions, so 0 and the previous row's are tried first.
std::optional<Places> places_on_axis(const Samples& samples, const std::vector<double>& ids,
                                     const std::vector<std::uint32_t>& pairs,
                                     const Hypothesis& hypothesis);

// Returns the rules that all places follow, simplest first. Requires places sorted by `should`.
// `unit` is the number by which the config divides positions: a scale may be a multiple of it.
std::vector<PositionRule> rules_of(const Places& places, double unit);

// Rules that apply together: one for every axis, or several for different axes.
using PositionRules = std::vector<PositionRule>;

// Returns the place of each axis by these rules. `axis`: the axis of each pair.
std::vector<AxisPlace> places_by(const PositionRules& rules, std::span<const std::uint32_t> axis);

// Returns the rules that give the position of every row on one axis, and with several axes the
// smallest sets of rules that explain the pairs of every wrong axis: none if no axis is wrong or a
// wrong axis has no rule. Axes share one rule if possible. `samples`: the view's, perhaps with a
// wider tolerance. `is_worth(cost)`: whether explanations by so many mistakes are searched for.
std::vector<PositionRules> position_rules(const DumpView& view, const Samples& samples,
                                          const Hypothesis& hypothesis,
                                          const std::function<bool(int cost)>& is_worth);

}  // namespace rope
