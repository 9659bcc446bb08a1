// The columns of one range of pairs, reduced while their tiles come in to the points that the
// worst pair of positions can stand at (worst_pair.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "rope/check.hpp"
#include "rope/kernels.hpp"
#include "rope/worst_pair.hpp"

namespace rope {

// The worst pair of positions below a power of two.
struct PrefixWorst {
    std::uint64_t last_position;
    WorstPair worst;
};

class PairColumns {
  public:
    PairColumns(const Trial& trial, PairRange pairs);

    PairRange pairs() const { return pairs_; }
    void observe(const Tile& tile);

    // Of column `i` of the range, every prefix that has rows, shortest first.
    std::vector<PrefixWorst> settle(std::uint32_t i);

  private:
    // One column so far.
    struct Column {
        std::vector<Deviation> points;  // every hull vertex is among them
        std::size_t hull_size = 0;
        bool wide = false;  // some Re v is not safely positive: the hull does not bound the error
    };
    // The columns as they stood at the end of a power-of-two prefix.
    struct Prefix {
        std::uint64_t last_position;
        std::vector<Column> columns;
    };

    void keep(std::size_t k, std::uint64_t position);
    void compact(std::uint32_t i);
    void inscribe_octagon(std::uint32_t i, const std::vector<Deviation>& vertices);
    void close_prefix();
    std::vector<Deviation> read_column(std::uint32_t i) const;

    const Trial& trial_;
    PairRange pairs_;
    std::vector<Column> columns_;
    std::vector<Prefix> prefixes_;
    std::uint64_t last_position_ = 0;
    std::vector<double> normal_u_[Octagon::edges], normal_y_[Octagon::edges],
        offset_[Octagon::edges];
    Octagon octagon_{};
    std::vector<double> x_, y_, u_;
    std::vector<unsigned char> outside_;
};

}  // namespace rope
