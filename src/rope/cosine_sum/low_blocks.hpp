// The blocks of distances that a base fails at first, just below one at which B is known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/cosine_sum/cosine_scan.hpp"

namespace rope {

class LowBlocks {
  public:
    // Those at which B is least. What fails a base just below is among them, mostly.
    LowBlocks(PairCounts pairs, std::uint64_t context, double base);

    // Whether B > 0 at all other distances, at the base that it was made for.
    bool has_all() const { return has_all_; }

    // At this base, at most that of the call before: the negative distance of these blocks whose
    // root is furthest below it by Newton's method.
    std::optional<std::uint64_t> furthest(double base);

  private:
    struct Block {
        std::uint64_t first;
        double low, base;  // B ≥ low at this base
    };
    PairCounts pairs_;
    std::uint64_t context_;
    std::vector<Block> blocks_;
    bool has_all_;
};

}  // namespace rope
