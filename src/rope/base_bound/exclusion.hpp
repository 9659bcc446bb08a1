// Proof that no base of an interval keeps B(s) ≥ 0, and the ends of the intervals that do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"

namespace rope {

// The distances that exclude the most bases, found without a scan of all distances at every base.
//
// With x = ln b, one s with B(s) < 0 at x excludes every base up to x + δ where
//     B + B'δ + ½Mδ² ≤ 0,   M ≥ |B''| from x on
// (Taylor's theorem). Short of a root of B(s) this is Newton's method, which then never oversteps.
//
// Within a few δ the fast pairs have taken B(s) above zero again. The slow pairs, whose sum is low
// over a stretch of distances, have hardly moved: it is blocks of neighbours that stay promising,
// for thousands of bases.

struct Excluder {
    std::uint64_t position;  // s
    double reach;            // δ, rounded down; 0 just where B(s) ≥ 0
};

Excluder excluder_at(const CosineSum& sum, std::uint64_t s);

// B(s) or up to 1/15 closer to 0, never past it.
double nearer_zero(const CosineSum& sum, std::uint64_t s, double value);

class Excluders {
  public:
    explicit Excluders(std::uint64_t context) : context_(context) {}

    // One that reaches far, among distances 0 to the context. Its reach is 0 just where the base
    // holds.
    Excluder furthest(const CosineSum& sum);

  private:
    Excluder best_known(const CosineSum& sum, const Excluder& last);
    Excluder best_of_block(const CosineSum& sum, CosineScan& scan, std::uint64_t first,
                           const Excluder& last) const;
    void look(const CosineSum& sum);

    std::uint64_t context_;
    std::vector<std::uint64_t> blocks_;     // their first distances, the most promising first
    std::uint64_t last_ = 0;                // what reached furthest at the base before
    double expected_ = 0;                   // reach
    std::uint64_t tried_ = 0, looked_ = 0;  // work: since the last look, and of it
    bool has_all_ = false;                  // at the base of the last look no other is negative
};

// Proof that no base of an interval keeps B_b(s) ≥ 0, from the bottom upwards: one distance after
// the other excludes a part (excluder.hpp).

inline constexpr double largest_base = 1e30;

// A base at an end of an island of bases that hold, and the distance whose B changes sign between
// it and its neighbour beyond.
struct IslandEnd {
    double base;
    std::optional<std::uint64_t> position;  // empty: the end of what was searched
};

struct Island {
    IslandEnd from, to;  // to.position is empty where the search ends
};

struct Ascent {
    std::optional<IslandEnd> end;  // the first base that holds
    bool proved;                   // every base on the way is excluded
};

class Exclusion {
  public:
    Exclusion(PairCounts pairs, std::uint64_t context) : pairs_(pairs), excluders_(context) {}

    // From a base up to the first that holds, if that is at most `last`.
    Ascent rise(double base, double last);

  private:
    PairCounts pairs_;
    Excluders excluders_;
};

// A greater double than a base where B(s) < 0, with no double in between that holds.
double excluded_to(const CosineSum& sum, std::uint64_t s, double base);

// Where an island of bases that hold ends.

// Of the island around `holds`, below `fails`. Searched, not proved: gaps may remain that none of a
// few bases below the end shows.
IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails);

}  // namespace rope
