// What every row of a pair may be turned by beside its own frequency: e^{iδθ} where all rows are
// for the position δ beyond theirs. R(m)ᵀR(n) does not see it.
#pragma once

#include <vector>

#include "rope/comparison/check.hpp"
#include "rope/number/memory.hpp"

namespace rope {

class CommonTurn {
  public:
    // Of each pair the direction of v (columns/worst_pair.hpp) in the subject's first row that says
    // anything of it, which is the same for all threads; 1 where that row is within its allowance.
    CommonTurn(const Comparison& comparison, PairRange pairs);

    // The tile with z̃·e^{iδθ} for its effective rows, valid until the next call. What says nothing
    // is no row off another.
    Tile turned(Tile tile);

  private:
    void take(const Comparison& comparison, const Tile& tile, std::size_t row, std::uint32_t pair);

    bool is_any_ = false;
    std::vector<double> re_, im_;
    AlignedVector<double> cos_, sin_;
};

}  // namespace rope
