// Rules of positions for several axes, each by itself.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rope/diagnose/positions/axis_rule.hpp"

namespace rope {

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
