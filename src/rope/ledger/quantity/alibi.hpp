// ALiBi: a penalty of slope·distance on each logit, a slope per head.
#pragma once

#include <vector>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

// 2^{−8h/n}, h = 1 … n, where n is a power of two; else those of the power p below n, and then
// every other one of 2p's.  (Press et al., arXiv 2108.12409, get_slopes)
std::vector<BigReal> alibi_slopes(int heads);

}  // namespace rope::ledger
