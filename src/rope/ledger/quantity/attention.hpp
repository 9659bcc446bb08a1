// Attention of one lane, with q = k = v = x.
#pragma once

#include <span>
#include <vector>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

// What a query attends to: the softmax-weighted mean of the tokens, weights e^{query·token}.
BigReal attended(double query, std::span<const double> tokens);

}  // namespace rope::ledger
