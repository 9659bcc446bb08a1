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

// The first base that holds, above bases that do not.
struct LowerEnd {
    double base;             // the least double at or above the root of B(position)
    std::uint64_t position;  // what binds: B(position) < 0 just below
    bool proved;             // every base on the way is excluded
};

class Exclusion {
  public:
    Exclusion(PairCounts pairs, std::uint64_t context) : pairs_(pairs), context_(context) {}

    // From a base that fails, up to another. Nothing: all of them fail.
    std::optional<LowerEnd> rise(double base, double last);

  private:
    // What excludes most, and how far.
    struct Witness {
        std::uint64_t position;
        double reach;
    };
    Witness furthest(const CosineSum& sum);
    Witness furthest_known(const CosineSum& sum) const;
    void look(const CosineSum& sum);

    PairCounts pairs_;
    std::uint64_t context_;
    std::vector<std::uint64_t> known_;  // positions that excluded much
    double expected_ = 0;               // what they should reach, else we look again
};

BigReal ln(double base);

// The base at which B(s) = 0, to 190 bits, by Newton's method from ln b = x.
BigReal root_near(PairCounts pairs, std::uint64_t s, double x);

}  // namespace rope
