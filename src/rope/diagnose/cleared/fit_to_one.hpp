// Two numbers by which squares add up to 1.
#pragma once

#include <optional>
#include <vector>

namespace rope {

struct TwoTerms {
    double first, second;
};

// Least squares of a·p + b·q = 1 over all (p, q); of a·p = 1 and b = a where there is `one_term`.
// None where a or b is not positive, or a sum is off by more than the tolerance.
std::optional<TwoTerms> fit_to_one(const std::vector<TwoTerms>& all, double tolerance,
                                   bool one_term = false);

}  // namespace rope
