// Proof that no base of an interval keeps B(s) ≥ 0, and the ends of intervals that do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"

namespace rope {

// Search for distances that exclude many bases, without scanning all distances at every base.
//
// With x = ln b, an s with B(s) < 0 at x excludes every base up to x + δ if
//     B + B'δ + ½Mδ² ≤ 0,   M ≥ |B''| from x on
// by Taylor's theorem. Near a root of B(s) this is Newton's method, which never oversteps here.
//
// Within a few δ the fast pairs raise B(s) above zero again. The slow pairs, whose sum is low over
// a range of distances, hardly change: blocks of neighbouring distances stay useful for thousands
// of bases.

struct Excluder {
    std::uint64_t position;  // s
    double reach;            // δ, rounded down; 0 if and only if B(s) ≥ 0
};

Excluder excluder_at(const CosineSum& sum, std::uint64_t s);

class Excluders {
  public:
    explicit Excluders(std::uint64_t context) : context_(context) {}

    // Returns a distance in [0, context] with a long reach. The reach is 0 if and only if the base
    // holds.
    Excluder furthest(const CosineSum& sum);

  private:
    Excluder best_known(const CosineSum& sum, const Excluder& last);
    Excluder best_of_block(const CosineSum& sum, CosineScan& scan, std::uint64_t first,
                           const Excluder& last) const;
    void look(const CosineSum& sum);

    std::uint64_t context_;
    std::vector<std::uint64_t> blocks_;     // first distance of each block, most useful block first
    std::uint64_t last_ = 0;                // distance with the longest reach at the base before
    double expected_ = 0;                   // expected reach
    std::uint64_t tried_ = 0, looked_ = 0;  // blocks tried since look(); cost of look(), in blocks
    bool has_all_ = false;                  // no other distance was negative at the last look()
};

// Proof, upwards from the lower end, that no base of an interval keeps B_b(s) ≥ 0: one distance
// after another excludes a part of it.

inline constexpr double largest_base = 1e30;

// An end of an island of bases that hold, and the distance at which B changes its sign between that
// base and its neighbour outside.
struct IslandEnd {
    double base;
    std::optional<std::uint64_t> position;  // empty: the search ended here
};

struct Island {
    IslandEnd from, to;  // to.position is empty if the search ended there
};

struct Ascent {
    std::optional<IslandEnd> end;  // the first base that holds
    bool proved;                   // whether all bases below it were excluded
};

class Exclusion {
  public:
    Exclusion(PairCounts pairs, std::uint64_t context) : pairs_(pairs), excluders_(context) {}

    // Searches from `base` to the first base that holds, up to `last`.
    Ascent rise(double base, double last);

  private:
    PairCounts pairs_;
    Excluders excluders_;
};

// Returns a larger double than `base`, where B(s) < 0, such that no double between them holds.
double excluded_to(const CosineSum& sum, std::uint64_t s, double base);

// Returns the end of the island around `holds`, below `fails`. Searched, not proved: it may miss
// gaps that the few tested bases do not show.
IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails);

}  // namespace rope
