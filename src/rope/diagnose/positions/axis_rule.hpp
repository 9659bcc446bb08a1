// A rule of positions for some of several axes: which ids these are given, and what becomes of
// them.
#pragma once

#include <span>
#include <vector>

#include "rope/diagnose/positions/position_map.hpp"
#include "rope/spec/axis.hpp"

namespace rope {

struct AxisRule {
    std::vector<std::uint32_t> axes;
    std::vector<std::size_t> elsewhere;  // of each, in Samples::elsewhere; empty: their own
    PositionMap map;
    std::vector<NamedMistake> mistakes;  // whose ids these are, and the map
    int cost = 1;
};

// By ids from elsewhere as `source` says, or by a map of their own.
AxisRule elsewhere_rule(std::vector<std::uint32_t> axes, const Elsewhere& source,
                        std::vector<std::size_t> elsewhere, const AxisMap& map);
AxisRule mapped_rule(std::vector<std::uint32_t> axes, PositionRule&& rule);
// Its mistakes said of these axes alone; of `open` ones they would be as true.
void name_axes(AxisRule& rule, const AxisMap& map, const std::vector<std::uint32_t>& open);

// What each axis is given by these, of pairs that follow the axes `axis`.
std::vector<AxisPlace> places_by(std::span<const AxisRule> rules,
                                 std::span<const std::uint32_t> axis);
// The rules without the one that makes this mistake; as many where none does.
std::vector<AxisRule> without(const NamedMistake& mistake, std::span<const AxisRule> rules);

}  // namespace rope
