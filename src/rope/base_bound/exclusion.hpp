// Proof that no base of an interval keeps B_b(s) ≥ 0, from the bottom upwards.
//
// With x = ln b, one s with B(s) < 0 at x excludes every base up to x + δ where
//     B + B'δ + ½Mδ² ≤ 0,   M ≥ |B''| from x on
// (Taylor's theorem). Short of a root of B(s) this is Newton's method, which then never oversteps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/base_bound/cosine_sum.hpp"

namespace rope {

// A base at an end of an island of bases that hold, and the distance whose B changes sign between
// it and its neighbour beyond.
struct IslandEnd {
    double base;
    std::optional<std::uint64_t> position;  // empty: the end of what was searched
};

struct Ascent {
    std::optional<IslandEnd> end;  // the first base that holds
    bool proved;                   // every base on the way is excluded
};

class Exclusion {
  public:
    Exclusion(PairCounts pairs, std::uint64_t context) : pairs_(pairs), context_(context) {}

    // From a base up to the first that holds, if that is at most `last`.
    Ascent rise(double base, double last);

  private:
    // What excludes most, and how far.
    struct Witness {
        std::uint64_t position;
        double reach;
    };
    std::optional<Witness> failure(const CosineSum& sum);
    Witness furthest(const CosineSum& sum);
    Witness furthest_known(const CosineSum& sum) const;
    void look(const CosineSum& sum);

    PairCounts pairs_;
    std::uint64_t context_;
    std::vector<std::uint64_t> known_;  // positions that excluded much
    double expected_ = 0;               // what they should reach, else we look again
};

BigReal ln(double base);

// A greater double than a base where B(s) < 0, with no double in between that holds.
double excluded_to(const CosineSum& sum, std::uint64_t s, double base);

// Neighbouring doubles, B(s) < 0 at just one of them.
struct SignChange {
    double below, above;
};
// Between two bases, low < high, B(s) < 0 at just one of them.
SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high);

}  // namespace rope
