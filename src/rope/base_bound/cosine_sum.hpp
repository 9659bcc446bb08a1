// B_b(s) = Σ_i cos(s·b^(−2i/d)), and 1 for each pair that passes through: the score of q = k = 1 at
// distance s.   (Men et al., Base of RoPE Bounds Context Length, arXiv 2405.14591)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/number/aligned.hpp"
#include "rope/variants/frequency_plan.hpp"

namespace rope {

struct PairCounts {
    std::uint32_t rotating;  // d/2
    std::uint32_t passing;
};

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

    // |computed − exact|, of value here and in CosineScan.
    double error() const;

    // 200 bits of B(s), from MPFR's own cosines.
    BigReal exact(std::uint64_t s) const;

    // Whether B(s) < 0, given its computed `value`.
    bool is_negative(std::uint64_t s, double value) const;

    // Whether B(s) ≥ 0 at every s, since as many pairs do not turn as do.
    bool is_never_negative() const;

    PairCounts pairs() const { return pairs_; }

  private:
    friend class CosineScan;
    BigReal inv_freq(std::uint32_t i) const;

    PairCounts pairs_;
    BigReal ln_base_;
    std::vector<BigReal> planned_;  // a Spec's own
    std::vector<Phase> half_rate_;  // θ_i/4π: distances may be half-integers
    std::vector<double> theta_;
};

// B at 64 distances at a time. The distances m ± (b + ½) of a centre m share their products:
//   P = Σ cos(mθ)·cos((b+½)θ),  Q = Σ sin(mθ)·sin((b+½)θ),  B(m ± (b+½)) = P ∓ Q
class CosineScan {
  public:
    static constexpr std::size_t size = 64;

    explicit CosineScan(const CosineSum& sum);

    // B at first … first + 63, `first` a multiple of 64. Returns the least.
    double fill(std::uint64_t first, double* values);

  private:
    static constexpr std::size_t half = size / 2;
    static constexpr std::size_t rows = 32;  // centres that are turned from one seed

    void prepare_rows();
    void seed(std::uint64_t first);

    // of (b + ½)θ for one pair
    struct Offsets {
        double cosine[half], sine[half];
    };

    const CosineSum& sum_;
    AlignedVector<Offsets> offsets_;
    AlignedVector<double> row_cos_, row_sin_;  // rows × pairs: centres as seen from the seed
    AlignedVector<double> seed_cos_, seed_sin_, centre_cos_, centre_sin_;
    std::uint64_t seeded_ = ~std::uint64_t{0};
};

// The first s ≤ last with B(s) < 0.
std::optional<std::uint64_t> first_negative(const CosineSum& sum, std::uint64_t last);

}  // namespace rope
