// The subject compared with the truth and with its own frequencies, 32 rows at a time; nothing is
// kept.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/number/memory.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

struct RowRange {
    std::uint64_t begin;
    std::uint64_t end;
};

// What one task looks at.
struct Block {
    PairRange pairs;
    RowRange rows;
};

// All blocks, range of pairs by range, each from the first row on. They depend on the comparison
// alone, not on the threads that share them.
class Blocks {
  public:
    explicit Blocks(const Comparison& comparison);

    std::uint64_t size() const { return strips_.size() * per_strip_; }
    Block operator[](std::uint64_t k) const;

  private:
    std::uint64_t rows_, per_strip_;
    std::vector<PairRange> strips_;
};

// Some rows of some pairs, tile by tile. One sweep belongs to one thread.
class Sweep {
  public:
    Sweep(const Comparison& comparison, PairRange pairs);

    // In ascending order; `rows` of the subject, from a multiple of 32.
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
