// RoFormer's bound (§3.4.3): A(s) = (2/d) Σ_j |S_j|, S_j = Σ_{l<j} e^{isθ_l}.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/spec/frequency.hpp"

namespace rope::ledger {

// A(s); s may be any real number.
BigReal abel_bound(const FrequencyPlan& plan, const BigReal& s);

// A(s) for s = 0 … last, in double.
std::vector<double> abel_curve(const FrequencyPlan& plan, std::uint64_t last);

// The first s ≤ last with A(s) > A(s − 1).
std::optional<std::uint64_t> first_bound_rise(const FrequencyPlan& plan, std::uint64_t last);

}  // namespace rope::ledger
