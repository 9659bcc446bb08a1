// Which positions rows are really for, and the rule by which these differ from the right ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/report/report.hpp"
#include "rope/spec/axis.hpp"

namespace rope {

// The position on which all pairs of a row agree, by the hypothesis' frequencies: from the slowest
// pair to the fastest, each narrows down the result of those before. If several fit, the one
// nearest to the right position; none if none fits, NaN for a row that is not finite. Where too
// many might, those around the right one are looked at, and around places that are `also` likely.
std::optional<double> fit_position(const Samples& samples, const Hypothesis& hypothesis,
                                   std::size_t row, std::span<const double> also = {});

// A rule from right positions to those that the rows are for.
struct PositionRule {
    std::string mistake;  // "position-offset"
    std::vector<std::pair<std::string, FieldValue>> parameters;
    std::string what;
    PositionMap map;
    int cost = 1;                           // mistakes that this counts for
    std::optional<NamedMistake> also = {};  // an offset beside it
};

// Rules that give every row's own position within its tolerance; simplest first. `unit` is what the
// config divides positions by, or multiplies frequencies with: a scale may be a part of it.
std::vector<PositionRule> position_rules(const Samples& samples, const Hypothesis& hypothesis,
                                         double unit = 1);

// Positions of rows: the last before a rule begins, the first that it is seen at, and the last.
struct RowsOfSwitch {
    double before = -1, from = 0, last = 0;
};

// A switched or stopped rule that begins elsewhere.
PositionRule switched_at(const PositionRule& rule, const RowsOfSwitch& rows);

// Where the rows of a dump are, by its own angles: what rules of positions are held against.

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

// A rule of positions for some of several axes: which ids these are given, and what becomes of
// them.

struct AxisRule {
    std::vector<std::uint32_t> axes;
    std::vector<std::size_t> other_ids;  // of each, in Samples::other_ids; empty: their own
    PositionMap map;
    std::vector<NamedMistake> mistakes;  // whose ids these are, and the map
    int cost = 1;
};

// By ids from elsewhere as `source` says, or by a map of their own.
AxisRule other_ids_rule(std::vector<std::uint32_t> axes, const OtherIds& source,
                        std::vector<std::size_t> other_ids, const AxisMap& map);
AxisRule mapped_rule(std::vector<std::uint32_t> axes, PositionRule&& rule);
// Its mistakes said of these axes alone; of `open` ones they would be as true.
void name_axes(AxisRule& rule, const AxisMap& map, const std::vector<std::uint32_t>& open);

// What each axis is given by these, of pairs that follow the axes `axis`.
std::vector<AxisPlace> places_by(std::span<const AxisRule> rules,
                                 std::span<const std::uint32_t> axis);
// The rules without the one that makes this mistake; as many where none does.
std::vector<AxisRule> without(const NamedMistake& mistake, std::span<const AxisRule> rules);

// Rules of positions for several axes, each by itself.

// One rule for all axes by their own ids, or others.
struct PlaceRules {
    std::optional<PositionRule> everywhere;
    std::vector<AxisRule> on_axes;
};

struct AskedAxes {
    const AxisMap& map;
    double unit;  // as of position_rules()
    std::function<bool(int cost)> is_worth;
};

// Rules of the fewest mistakes that put each axis where its pairs are: axes that are wrong by one
// rule where they can be. Each pair follows one axis, so that others say nothing of it. None where
// no axis is wrong.
std::vector<PlaceRules> axis_rules(const Samples& samples, const Hypothesis& hypothesis,
                                   const AskedAxes& asked);

}  // namespace rope
