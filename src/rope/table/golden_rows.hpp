// Golden tables and rotations of one Spec, some rows at a time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

// A list for each axis of the Spec, or one for all of them; as many positions in each. They are any
// real numbers between -2^32 and 2^32, each taken as the double that it is.
using PositionsByAxis = std::vector<std::vector<double>>;

// Every value is the number of the format that is nearest to the exact one.
class GoldenRows {
  public:
    // Requires validate(spec).
    GoldenRows(const Spec& spec, Format format);

    const FrequencyPlan& plan() const { return plan_; }
    std::vector<double> inv_freq() const;

    // attention_factor·cos and attention_factor·sin; without positions of its own.
    RotaryTable table(const PositionsByAxis& positions);
    // R(m)x of vectors, positions × head_dim, whose values are the format's.
    std::vector<double> rotated(const PositionsByAxis& positions, const std::vector<double>& x);
    // m·θ, positions × pairs, not reduced, without the attention factor.
    std::vector<double> angles(const PositionsByAxis& positions) const;

  private:
    RotaryTable table_at(std::span<const double> positions);
    std::vector<double> rotated_at(std::span<const double> positions, const std::vector<double>& x);
    const TruthRows& in_units(int exponent);

    Spec spec_;
    Format format_;
    FrequencyPlan plan_;
    int exponent_ = 0;
    std::optional<TruthRows> truth_;  // of the unit that was last used
};

}  // namespace rope
