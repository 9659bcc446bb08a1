// Proof that no base of an interval keeps B_b(s) ≥ 0, from the bottom upwards: one distance after
// the other excludes a part (excluder.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "rope/base_bound/excluder.hpp"

namespace rope {

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
    std::optional<IslandEnd> end;           // the first base that holds
    bool proved;                            // every base on the way is excluded
    std::optional<double> stopped_at = {};  // a base, where the way was longer than allowed
};

class Exclusion {
  public:
    Exclusion(PairCounts pairs, std::uint64_t context) : pairs_(pairs), excluders_(context) {}

    static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

    // From a base up to the first that holds, if that is at most `last`; stops, if it may, when it
    // has done more than `most` of work (Excluders).
    Ascent rise(double base, double last, std::uint64_t most = no_limit);

  private:
    PairCounts pairs_;
    Excluders excluders_;
};

// A greater double than a base where B(s) < 0, with no double in between that holds.
double excluded_to(const CosineSum& sum, std::uint64_t s, double base);

}  // namespace rope
