// Which bases keep the score of two equal tokens from turning negative within a context.
#pragma once

#include "plots/parts/figure.hpp"
#include "rope/base_bound/base_bound.hpp"

namespace rope::plots {

// Two panels over the base on a logarithmic axis, the islands of bases that hold tinted:
//   min B(s) over s = 0…N                below 0 where the base fails
//   the first s at which B(s) < 0        above N where the base holds
// From a third of the infimum to twice the largest base that fails, as far as was searched. Throws
// InputError where no base holds, or all do.
Figure base_bound_figure(const BaseQuestion& question);

}  // namespace rope::plots
