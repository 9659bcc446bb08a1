// How a logit changes when query and key move together, in bfloat16.
//
// The first token's key, and a query at each position of a sequence, are drawn uniformly from
// (−1, 1) and rounded to bfloat16 (SplitMix64, seed 1 for queries and 2 for the key; d = 128, pairs
// (i, i + d/2), base 10000). Their products are summed in double.
#pragma once

#include <cstdint>
#include <vector>

namespace rope::ledger {

enum class Bfloat16Rotation {
    rounded_once,  // rotated exactly, cast to bfloat16
    arithmetic,    // cos and sin of bfloat16, and each product and sum
    positions,     // the same, with positions in bfloat16
};

// The mean over positions 0 … T − 1 of |logit at shift 0 − logit at shift 16|, for each T
// (ascending).
std::vector<double> logit_drift(Bfloat16Rotation rotation,
                                const std::vector<std::uint64_t>& lengths);

}  // namespace rope::ledger
