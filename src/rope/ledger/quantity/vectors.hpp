// Whole vectors, rotated exactly in either layout.
#pragma once

#include <initializer_list>
#include <vector>

#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope::ledger {

using Vector = std::vector<BigReal>;

Vector vector_of(std::initializer_list<double> lanes);

// x at position m, as wide as the plan has pairs for.
Vector rotated(const Vector& x, const FrequencyPlan& plan, PairLayout layout, double m);

BigReal dot(const Vector& x, const Vector& y);

// Lanes (0, 1, 2, 3, …) -> (0, d/2, 1, d/2 + 1, …): what pairs i and i + d/2 becomes neighbours.
Vector interleaved_lanes(const Vector& x);

}  // namespace rope::ledger
