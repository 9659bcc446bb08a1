// The columns of one range of pairs, reduced while their tiles come in to the points that the
// worst pair of positions can be at (worst_pair.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/checks/relative_position.hpp"
#include "rope/comparison/check.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/aligned.hpp"

namespace rope {

class PairColumns {
  public:
    PairColumns(const Comparison& comparison, PairRange pairs);

    PairRange pairs() const { return pairs_; }
    void observe(const Tile& tile);
    // Observes every row of the subject.
    void read_all();

    // Of column `i` of the range, every prefix that has rows, shortest first.
    std::vector<PrefixWorst> worst_by_prefix(std::uint32_t i);

  private:
    struct Column {
        Hull hull;
        double low_y = HUGE_VAL, high_y = -HUGE_VAL;
        bool banded = false;
        int outside = 0;    // points since the octagon was inscribed that were not within it
        int inscribed = 0;  // how often; ever more points are let by before the next time
        bool wide = false;  // some Re v is not safely positive: the hull does not bound the error
    };
    // The columns as they stood at the end of a power-of-two prefix.
    struct Prefix {
        double last_position;
        std::vector<Column> columns;
    };

    void keep(std::size_t k, double position);
    void inscribe_octagon(std::uint32_t i);
    void draw_band(std::uint32_t i);
    void set_edge(std::size_t e, std::uint32_t i, double normal_u, double normal_y);
    void close_prefix();
    // Up to the last position observed.
    std::vector<Deviation> read_column(std::uint32_t i) const;

    const Comparison& comparison_;
    PairRange pairs_;
    std::vector<Column> columns_;
    std::vector<Prefix> prefixes_;
    std::optional<double> last_position_;
    double cap_;  // of |u| in a banded column
    AlignedVector<double> centre_u_, centre_y_;
    AlignedVector<double> normal_u_[Octagons::edges], normal_y_[Octagons::edges];
    Octagons octagons_{};
    AlignedVector<double> x_, y_, u_, outside_;
};

}  // namespace rope
