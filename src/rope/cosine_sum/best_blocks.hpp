// The blocks of a CosineScan that are the most promising where B is to be negative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/cosine_sum/cosine_sum.hpp"

namespace rope {

struct RatedBlock {
    std::uint64_t first;
    double low;    // B is at least this
    double merit;  // the greater, the better
};

enum class Merit {
    depth,  // −B
    reach,  // −B/s² where B < 0; −B elsewhere, which is less than any of these
};

struct BestBlocks {
    std::vector<RatedBlock> blocks;  // the best first; those of `most`, or somewhat fewer
    bool has_all;                    // B > 0 at all other distances to the context
    std::uint64_t seen;              // blocks, or passed over: a look ends where no better can be
};

BestBlocks best_blocks(const CosineSum& sum, std::uint64_t context, std::size_t most, Merit merit);

}  // namespace rope
