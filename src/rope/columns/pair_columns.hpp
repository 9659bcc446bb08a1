// The columns of one range of pairs, reduced while their tiles come in to the points that the
// worst pair of positions can be at (worst_pair.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/columns/inscribed_octagons.hpp"
#include "rope/columns/prefix.hpp"
#include "rope/comparison/check.hpp"
#include "rope/number/memory.hpp"

namespace rope {

class PairColumns {
  public:
    PairColumns(const Comparison& comparison, PairRange pairs);

    PairRange pairs() const { return pairs_; }
    // Rows from the subject's first, outward from position 0; turned by what all have in common.
    void observe(const Tile& tile);
    // Observes every row of the subject.
    void read_all();

    // Of each column of the range every prefix that has rows, shortest first. `largest_square`: of
    // each column, no |v|² exceeds it.
    std::vector<std::vector<PrefixWorst>> worst_by_prefix(std::span<const double> largest_square);

  private:
    struct Column {
        Hull hull;
        double low_y = HUGE_VAL, high_y = -HUGE_VAL;
        bool banded = false;
        int outside = 0;    // points since the octagon was inscribed that were not within it
        int inscribed = 0;  // how often; ever more points are let by before the next time
        bool wide = false;  // some Re v is not safely positive: the hull does not bound the error
    };
    void keep(std::size_t k, double position);
    void inscribe_octagon(std::uint32_t i);
    void draw_band(std::uint32_t i);
    void close_prefix();  // a power of two of positions
    bool all_wide() const;
    // Of `count` columns of which some are wide.
    void read_wide(std::uint32_t first, std::uint32_t count, std::span<const double> largest_square,
                   std::vector<std::vector<PrefixWorst>>& worst) const;

    const Comparison& comparison_;
    PairRange pairs_;
    std::vector<Column> columns_;
    std::vector<std::vector<PrefixWorst>> worst_;  // of each column, until it is wide
    std::optional<double> last_position_, closed_position_;
    std::uint64_t rows_ = 0;  // observed
    double cap_;              // of |u| in a banded column
    InscribedOctagons octagons_;
    AlignedVector<double> x_, y_, u_, outside_;
    std::vector<PlanePoint> ring_;
};

}  // namespace rope
