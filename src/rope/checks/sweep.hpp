// Compares the subject with the exact rows and with the rows of its frequencies, 32 rows at a time,
// without storing them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/exact/memory.hpp"
#include "rope/rows/exact_rows.hpp"

namespace rope {

struct RowRange {
    std::uint64_t begin;
    std::uint64_t end;
};

// Pairs and rows of one task.
struct Block {
    PairRange pairs;
    RowRange rows;
};

// Returns all blocks, ordered by pairs and then rows; at least one for each range of pairs. They
// depend only on the comparison, not on threads.
std::vector<Block> blocks_of(const Comparison& comparison);

// Reads some pairs row by row in tiles. Each thread needs a separate sweep.
class Sweep {
  public:
    Sweep(const Comparison& comparison, PairRange pairs);

    // Calls observe() for the tiles in ascending order. `rows` must begin at a multiple of 32.
    void run(RowRange rows, const std::function<void(const Tile&)>& observe);

  private:
    Tile read(std::uint64_t begin, std::uint64_t end);
    void pass_over_gaps();

    const Comparison& comparison_;
    PairRange pairs_;
    RealRows truth_, effective_;
    bool effective_is_truth_;
    std::unique_ptr<RowReader> reader_;
    std::vector<std::uint64_t> rows_;
    std::vector<double> positions_;
    AlignedVector<double> cos_, sin_, true_cos_, true_sin_, effective_cos_, effective_sin_;
};

}  // namespace rope
