// The worst of all pairs of positions, exactly, without looking at each.
//
// One pair of lanes, cached as ẑ_m = a·z̃_m·v_m with z̃_m = e^{imθ̃} exact. Since z̃_m·conj is
// z̃_{n−m}, the relative error of (m, n) is
//     E = |conj(v_m)·v_n − 1|,     E² = |v_m|²|v_n|² − 2·Re(conj(v_m)·v_n) + 1.
// With v_m fixed and Re v ≥ 0 everywhere, E² is convex in the coordinates (|v_n|², Im v_n):
// linear in |v_n|² and Im v_n, and minus a nonnegative multiple of Re v_n = √(|v_n|² − Im² v_n),
// which is concave. The same with the roles swapped, so the worst pair lies at two vertices of
// the convex hull of the points (|v|², Im v): a few dozen for any sound subject.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rope {

// v = 1 + x + i·y
struct Deviation {
    double x;
    double y;
    double u;  // |v|² − 1
    double position;
};

struct WorstPair {
    double m = 0;
    double n = 0;
    double error = 0;  // NaN when any deviation is
};

// E of two deviations.
double relative_error(const Deviation& a, const Deviation& b);

// Every pair, one by one. An order m < n and the first of equals.
WorstPair worst_pair_by_search(std::span<const Deviation> points);

// The convex hull in (u, y) of the points inserted so far.
class Hull {
  public:
    void insert(const Deviation& point);

    // Counter-clockwise, each once.
    std::vector<Deviation> vertices() const;
    std::size_t size() const { return lower_.size() + upper_.size(); }

  private:
    // One of the two chains from least to greatest u; `sign` is +1 below, −1 above.
    static void insert(std::vector<Deviation>& chain, const Deviation& point, double sign);

    std::vector<Deviation> lower_, upper_;
};

// Any v: branch and bound over pairs of arcs. Exact to 1e-14.
WorstPair worst_pair_anywhere(const std::vector<Deviation>& points);

}  // namespace rope
