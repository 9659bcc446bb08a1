// The exact values that a subject's values are compared with.
#pragma once

#include <optional>

#include "rope/checks/check.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/memory.hpp"

namespace rope {

// Exact values of a tile times the amplitude, a·z.
class ScaledTruth {
  public:
    explicit ScaledTruth(double amplitude) : amplitude_(amplitude) {}

    // The result is valid until the next call.
    CosSin of(const Tile& tile);

  private:
    double amplitude_;
    AlignedVector<double> cos_, sin_;
};

// Returns a position as a field: an integer if it is one and not negative; empty without a
// position.
FieldValue position_value(std::optional<double> position);

}  // namespace rope
