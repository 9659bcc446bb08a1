#include "plots/judged/position_axis.hpp"

#include <algorithm>
#include <cmath>

#include "plots/parts/ticks.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {

std::string position_text(double position) { return significant(position, 10); }

double place_of(double position, const PositionParts& parts) {
    const double size = std::abs(position);
    return parts.scale == PositionScale::listed ? static_cast<double>(parts.column_of(size))
                                                : std::clamp(size, parts.first, parts.last);
}

double middle_of(double position, const PositionParts& parts) {
    const std::size_t column = parts.column_of(std::abs(position));
    const double from = parts.edges[column], to = parts.edges[column + 1];
    if (parts.scale == PositionScale::listed) return static_cast<double>(column) + 0.5;
    return to - from > 1 ? place_of(position, parts) : place_of((from + to) / 2, parts);
}

void add_rule(Panel& panel, const PositionParts& parts, std::optional<double> position,
              const std::string& limit) {
    if (!position) return;
    panel.rules.push_back(
        {place_of(*position, parts), limit + " from " + position_text(*position)});
}

Axis position_axis(const PositionParts& positions) {
    const double first = positions.first, last = positions.last;
    if (positions.scale == PositionScale::listed) {
        Axis axis{"position", Scale::linear, first, last, {}};
        for (std::size_t k = 0; k + 1 < positions.edges.size(); ++k)
            axis.ticks.push_back({static_cast<double>(k) + 0.5, position_text(positions.edges[k])});
        return axis;
    }
    if (positions.scale == PositionScale::linear)
        return {"position", Scale::linear, first, last, decimal_ticks(first, last, 9)};
    return {"position", Scale::log2, first, last, power_of_two_ticks(first, last, 12)};
}

}  // namespace rope::plots
