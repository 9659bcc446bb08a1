// B_b(s) = Σ_i cos(s·b^(−2i/d)), and 1 for each pair that passes through: the score of q = k = 1 at
// distance s.   (Men et al., Base of RoPE Bounds Context Length, arXiv 2405.14591)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

struct PairCounts {
    std::uint32_t rotating;  // d/2
    std::uint32_t passing;
};

BigReal ln(double base);

// The phase in 64 bits, truncated.
inline std::uint64_t turn_of(Phase phase) { return static_cast<std::uint64_t>(phase >> 64); }

// B of one base b ≥ 1, given as x = ln b, at distances s < 2^32.
class CosineSum {
  public:
    CosineSum(PairCounts pairs, const BigReal& ln_base);
    // Of a Spec's own frequencies, scaled or not: at() is not for these.
    CosineSum(const FrequencyPlan& plan, std::uint32_t passing);

    // B(s) and ∂B/∂x at this base, to within error() and slope_error; bend ≥ |∂²B/∂x²| at this base
    // and every greater one.
    struct Local {
        double value, slope, slope_error, bend;
    };
    Local at(std::uint64_t s) const;

    // |∂B/∂x| ≤ s·steepest() at this base and every greater one, to within 2^-40 of it.
    double steepest() const;

    // |computed − exact|, of value here and in CosineScan.
    double error() const;

    // B(s) to within (s·P + 1)·(P + 60)·2^-199 of P pairs, from MPFR's own cosines.
    BigReal exact(std::uint64_t s) const;

    // Whether B(s) < 0, given its computed `value`: by more than what exact() may be off.
    bool is_negative(std::uint64_t s, double value) const;

    // Whether B(s) ≥ 0 at every s, since as many pairs do not turn as do.
    bool is_never_negative() const;

    PairCounts pairs() const { return pairs_; }

    // θ_i/4π of the rotating pairs: of a turn, for half a distance.
    const std::vector<Phase>& half_rates() const { return half_rate_; }

  private:
    PairCounts pairs_;
    BigReal ln_base_;
    std::vector<BigReal> planned_;  // a Spec's own
    std::vector<Phase> half_rate_;  // θ_i/4π: distances may be half-integers
    std::vector<double> theta_;
};

// The double at which B(s) changes its sign as the base grows.

// Neighbouring doubles, B(s) < 0 at just one of them.
struct SignChange {
    double below, above;
};

// Between two bases, low < high, B(s) < 0 at just one of them. Where there are several, that to
// which halving leads.
SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high);

// Whether B(s) < 0.
bool is_negative(PairCounts pairs, std::uint64_t s, double base);

}  // namespace rope
