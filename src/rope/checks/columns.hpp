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

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/archive.hpp"
#include "rope/checks/check.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/number/memory.hpp"

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

// Prefixes of the rows by powers of two: ε grows with position, so each has its own allowance.

// Octave j is the distances from 0 that are at least 2^(j−1) and below 2^j; octave 0 those below 1.
// Prefix j is the octaves up to j.
inline std::size_t octave_of(double position) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(std::abs(position))));
}

// The worst pair of positions of a prefix.
struct PrefixWorst {
    double last_position;
    WorstPair worst;
};

inline void exchange(Archive& archive, PrefixWorst& prefix) {
    archive(prefix.last_position, prefix.worst.m, prefix.worst.n, prefix.worst.error);
}

// An octagon per pair within the points of its column seen so far, for the kernels that look for
// those beyond.

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

// Whether points are within a convex polygon, at a few nanoseconds each.

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

// Columns whose deviations leave the half plane, read once more: every prefix's worst pair in fixed
// memory (wide_column.hpp).

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

// What every row of a pair may be turned by beside its own frequency: e^{iδθ} where all rows are
// for the position δ beyond theirs. R(m)ᵀR(n) does not see it.

class CommonTurn {
  public:
    // Of each pair the direction of v (checks/columns.hpp) in the subject's first row that says
    // anything of it, which is the same for all threads; 1 where that row is within its allowance.
    CommonTurn(const Comparison& comparison, PairRange pairs);

    // The tile with z̃·e^{iδθ} for its effective rows, valid until the next call. What says nothing
    // is no row off another.
    Tile turned(Tile tile);

  private:
    void take(const Comparison& comparison, const Tile& tile, std::size_t row, std::uint32_t pair);

    bool is_any_ = false;
    std::vector<double> re_, im_;
    AlignedVector<double> cos_, sin_;
};

// The columns of one range of pairs, reduced while their tiles come in to the points that the
// worst pair of positions can be at (worst_pair.hpp).

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
