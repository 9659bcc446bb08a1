// At which positions rows really stand, and by what rule that differs from where they should.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rope/diagnose/evidence/hypothesis.hpp"
#include "rope/report/report.hpp"

namespace rope {

// Where all pairs of a row agree that it stands, by the hypothesis' frequencies; from the slowest
// pair to the fastest, each narrowing what those before leave. The one nearest to where it should
// stand where several fit; none where none does, NaN for a row that is not finite.
std::optional<double> fit_position(const Samples& samples, const Hypothesis& hypothesis,
                                   std::size_t row);

// A rule that takes positions to where the rows stand.
struct PositionRule {
    std::string mistake;  // "position-offset"
    std::vector<std::pair<std::string, FieldValue>> parameters;
    std::string what;
    PositionMap map;
    int cost = 1;  // mistakes that this counts for
};

// Rules that give every row's own position within its tolerance; simplest first.
std::vector<PositionRule> position_rules(const Samples& samples, const Hypothesis& hypothesis);

}  // namespace rope
