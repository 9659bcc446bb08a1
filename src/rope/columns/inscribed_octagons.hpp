// An octagon per pair within the points of its column seen so far, for the kernels that look for
// those beyond.
#pragma once

#include <span>

#include "rope/kernels/checks.hpp"
#include "rope/number/memory.hpp"

namespace rope {

struct PlanePoint {
    double u, y;
};

class InscribedOctagons {
  public:
    // With nothing within.
    explicit InscribedOctagons(std::size_t pairs);

    // Its corners are the furthest vertices of a counter-clockwise ring in eight directions, in
    // units of the ring's own size. A ring without an area changes nothing.
    void inscribe(std::size_t i, std::span<const PlanePoint> ring);
    // |u| < half_u and |y − centre_y| < half_y
    void set_rectangle(std::size_t i, double half_u, double centre_y, double half_y);

    const Octagons& octagons() const { return octagons_; }

  private:
    void set_edge(std::size_t e, std::size_t i, double normal_u, double normal_y);

    AlignedVector<double> centre_u_, centre_y_;
    AlignedVector<double> normal_u_[Octagons::edges], normal_y_[Octagons::edges];
    Octagons octagons_{};
};

}  // namespace rope
