// Columns whose deviations leave the half plane, read once more: every prefix's worst pair in fixed
// memory (wide_column.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/columns/inscribed_octagons.hpp"
#include "rope/columns/prefix.hpp"
#include "rope/columns/wide_column.hpp"
#include "rope/comparison/check.hpp"

namespace rope {

class WideColumns {
  public:
    // `largest_square`: of each pair, no |v|² exceeds it.
    WideColumns(const Comparison& comparison, PairRange pairs,
                std::span<const double> largest_square);

    // Rows from the first, outward from position 0.
    void observe(const Tile& tile);
    // After the last tile. Of each pair every prefix that has rows, shortest first.
    std::vector<std::vector<PrefixWorst>> finish();

  private:
    void insert(const Deviation& v, std::size_t i);
    void pass_over_reduced(std::size_t i);
    void close_prefix();

    const Comparison& comparison_;
    std::vector<WideColumn> columns_;
    InscribedOctagons octagons_;
    AlignedVector<double> dull_, x_, y_, outside_;
    std::vector<std::vector<PrefixWorst>> prefixes_;
    std::optional<double> last_position_;
};

}  // namespace rope
