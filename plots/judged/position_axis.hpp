// The positions of a map as the x axis of a panel.
#pragma once

#include <optional>
#include <string>

#include "plots/parts/figure.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::plots {

Axis position_axis(const PositionParts& positions);

// On the axis, where a position's column begins; and in the middle of the column where it is of
// one position.
double place_of(double position, const PositionParts& parts);
double middle_of(double position, const PositionParts& parts);

std::string position_text(double position);

// A line from which on errors exceed a limit: "beyond 10⁻³ from 1,024".
void add_rule(Panel& panel, const PositionParts& parts, std::optional<double> position,
              const std::string& limit);

}  // namespace rope::plots
