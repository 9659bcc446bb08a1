// Whether points are within a convex polygon, at a few nanoseconds each.
#pragma once

#include <cstdint>
#include <vector>

namespace rope {

class ConvexRing {
  public:
    struct Corner {
        double x, y;
    };

    ConvexRing() = default;  // with nothing within
    // Counter-clockwise.
    explicit ConvexRing(std::vector<Corner> corners);

    // Whether the ring has a point on the way from (x, y) to its centre that is no further than
    // `slack`. Exact but for rounding.
    bool is_within(double x, double y, double slack) const;

  private:
    double direction_of(double x, double y) const;
    std::size_t bin_of(double direction) const;

    Corner centre_{};
    std::vector<Corner> corners_;        // from the least direction on; the first again at the end
    std::vector<double> directions_;     // of corners_, seen from the centre
    std::vector<std::uint32_t> corner_;  // of each bin of directions: the last corner before it
};

}  // namespace rope
