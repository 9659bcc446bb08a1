// The worst pair of a column whose deviations are anywhere, in fixed memory.
//
// For fixed v_m, E = |conj(v_m)·v_n − 1| is the modulus of an affine function of v_n, so it is
// convex in v_n, and likewise in v_m: wherever the deviations are, the worst pair is at two
// vertices of the convex hull of v in the complex plane. With W the worst so far and M no less than
// any |v|, these points are dropped:
//   within   the hull of others: by convexity no pair of theirs is worse.
//   dull    |v|·M + 1 ≤ W·(1 + τ): E ≤ |v_m||v_n| + 1, so nothing is worse than W by more than τ.
//   huge    |v|² ≥ 2^40, once paired with itself: E(v, v) = |v|² − 1, and no pair with a smaller
//           one exceeds |v|² + 1.
//   close   to the hull of others by η, where the hull has more vertices than there is room for:
//           if p and q are within η of p' and q', E(p, q) ≤ E(p', q') + 2ηM. Chords of height η
//           around a circle are 2π·√(M/8η).
// τ and 2ηM/W are below 1e-9 together: W is within that of the worst of all pairs.
#pragma once

#include <cstddef>
#include <vector>

#include "rope/columns/convex_ring.hpp"
#include "rope/columns/worst_pair.hpp"

namespace rope {

struct ColumnRoom {
    std::size_t whole = 1U << 13;  // points that are all kept
    std::size_t hull = 150000;     // vertices
};

class WideColumn {
  public:
    // |v|² of no point exceeds `largest_square`; infinity where that is unknown.
    explicit WideColumn(double largest_square, ColumnRoom room = {});

    // In order of position. A deviation that is not finite makes the worst NaN.
    void insert(const Deviation& v);

    // The worst pair of all points inserted: exact to 1e-14 while all are kept.
    const WorstPair& worst();
    // What the worst of all pairs of those points does not exceed. After worst().
    double bound() const;

    // Points of no larger |v|² need not be inserted.
    double dull_square() const;

    // When `reductions` has changed: a convex ring, counter-clockwise, within the hull of all.
    struct Vertex {
        double x, y, position;
        bool was_vertex;  // when points were last dropped
    };
    const std::vector<Vertex>& vertices() const { return points_; }
    int reductions() const { return reductions_; }

  private:
    void reduce();
    void drop_dull();
    void thin(const std::vector<Vertex>& ring);

    double largest_;  // M
    ColumnRoom room_;
    std::size_t limit_;
    std::vector<Vertex> points_;
    ConvexRing ring_;  // of the points that were its vertices
    WorstPair worst_;
    double closeness_ = 0;  // η
    int reductions_ = 0;
};

}  // namespace rope
