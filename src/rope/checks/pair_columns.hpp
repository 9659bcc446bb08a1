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
    std::vector<PrefixWorst> settle(std::uint32_t i) const;

  private:
    // What is kept of one column in one octave of positions, [2^(j−1), 2^j).
    struct Octave {
        std::vector<Deviation> points;
        std::size_t hull_size = 0;
        bool wide = false;  // some Re v is not safely positive: the hull does not bound the error
    };

    Octave& octave(std::uint32_t i, std::size_t prefix) { return octaves_[prefix][i]; }
    void open_octave(std::size_t prefix);
    void keep(std::uint64_t position, std::size_t k);
    void inscribe_octagon(std::uint32_t i, const std::vector<Deviation>& vertices);
    std::vector<Deviation> read_column(std::uint32_t i) const;

    const Trial& trial_;
    PairRange pairs_;
    std::vector<std::vector<Octave>> octaves_;   // [prefix][column]; empty: no rows there
    std::vector<std::uint64_t> last_position_;   // [prefix]
    std::size_t open_ = SIZE_MAX;                // the prefix that the octagons belong to
    std::vector<double> normal_u_[Octagon::edges], normal_y_[Octagon::edges],
        offset_[Octagon::edges];
    Octagon octagon_{};
    std::vector<double> x_, y_, u_;
    std::vector<unsigned char> outside_;
};

}  // namespace rope
