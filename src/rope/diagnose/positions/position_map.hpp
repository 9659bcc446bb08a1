// Which positions rows are really for, and the rule by which these differ from the right ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/report/report.hpp"

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

}  // namespace rope
