// Exact rows at any position: whole or fractional, of either sign.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "rope/spec/frequency.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

class RealRows {
  public:
    // The frequencies must outlive it; `rates` are theirs (turn_rate).
    RealRows(std::span<const PlannedFrequency> frequencies, std::vector<TurnRate> rates);

    std::size_t pairs() const { return frequencies_.size(); }

    // As ExactRows::fill; |position| < 2^32.
    void fill(std::span<const double> positions, double* cos, double* sin);

  private:
    void fill_row(double position, double* cos, double* sin);
    const ExactRows& in_units(int exponent);

    std::span<const PlannedFrequency> frequencies_;
    ExactRows whole_;
    std::map<int, ExactRows> parts_;  // by the exponent of their unit
};

}  // namespace rope
