// B_b(s) = Σ_i cos(s·b^(−2i/d)) + number of pairs without rotation: the score of q = k = 1 at
// distance s.   (Men et al., Base of RoPE Bounds Context Length, arXiv 2405.14591)
#pragma once

#include <cstdint>
#include <vector>

#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

struct PairCounts {
    std::uint32_t rotating;  // d/2
    std::uint32_t passing;
};

// Returns the upper 64 bits of the phase.
inline std::uint64_t turn_of(Phase phase) { return static_cast<std::uint64_t>(phase >> 64); }

// B for one base b ≥ 1, with x = ln b, at distances s < 2^32.
class CosineSum {
  public:
    CosineSum(PairCounts pairs, double base);
    // Uses the frequencies of a plan; at() is not available for them.
    CosineSum(const FrequencyPlan& plan, std::uint32_t passing);

    // B(s) and ∂B/∂x at this base with errors error() and slope_error; bend ≥ |∂²B/∂x²| at this
    // base and all larger ones.
    struct Local {
        double value, slope, slope_error, bend;
    };
    Local at(std::uint64_t s) const;

    // Returns a bound of |∂B/∂x|/s at this base and all larger ones, with a relative error 2^-40.
    double steepest() const;

    // Returns the bound of |computed − exact| for `value` above and for CosineScan.
    double error() const;

    // Returns B(s), or a value up to 1/15 closer to 0 with the same sign. `value` is B(s) as
    // computed; if it is close to 0, it is computed again in 128 bits, and 0 stands for |B(s)| <
    // P(2^-108 + s·P·2^-120).
    double nearer_zero(std::uint64_t s, double value) const;

    bool is_negative(std::uint64_t s, double value) const { return nearer_zero(s, value) < 0; }

    // Returns true if at least half of the pairs do not rotate: then B(s) ≥ 0 for every s.
    bool is_never_negative() const;

    PairCounts pairs() const { return pairs_; }

    // Returns θ_i/4π of the rotating pairs, in turns per half distance.
    const std::vector<Phase>& half_rates() const { return half_rate_; }

  private:
    PairCounts pairs_;
    std::vector<Phase> half_rate_;  // θ_i/4π, since distances may be half-integers
    std::vector<double> theta_;
};

// Neighbouring doubles between which B(s), as a function of the base, changes its sign.
struct SignChange {
    double below, above;
};

// Returns a sign change of B(s) between two bases, low < high, of which one has B(s) < 0. If there
// are several, returns the one that bisection finds.
SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high);

// Returns whether B(s) < 0 at the base.
bool is_negative(PairCounts pairs, std::uint64_t s, double base);

}  // namespace rope
