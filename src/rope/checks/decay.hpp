// Long-range decay: He & Xu's r̂ with q = k = 1, and RoFormer's bound from Abel summation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/exact/memory.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// The index of the curves is the distance s = 0 … last.
struct DecayCurves {
    std::vector<double> mean_cos;  // B̂(s) = (2/d) Σ_i cos(sθ_i)
    std::vector<double> roformer;  // A(s) = (2/d) Σ_j |Σ_{i<j} e^{isθ_i}|   (RoFormer §3.4.3)
};
DecayCurves decay_curves(const FrequencyPlan& plan, std::uint64_t last);

// Returns B(s)/B(0) at a distance with this mean cosine. B(s) = Σ_i cos(sθ_i), + 1 for each pair
// that does not rotate: the score of q = k = 1 without the attention factor, as in base_bound.
double equal_score(const Spec& spec, double mean_cos);

// The same curves, 64 distances at a time.
class DecayBlocks {
  public:
    static constexpr std::size_t size = 64;

    DecayBlocks() = default;
    explicit DecayBlocks(std::span<const TurnRate> rates) { take(rates); }
    explicit DecayBlocks(const FrequencyPlan& plan) : DecayBlocks(turn_rates(plan.pairs)) {}

    // Switches to these pairs, reusing the memory (1 KiB per pair).
    void take(std::span<const TurnRate> rates);

    // Writes mean_cos and roformer, 64 values each, at first … first + 63.
    void fill(std::uint64_t first, double* mean_cos, double* roformer);
    void fill_mean_cos(std::uint64_t first, double* mean_cos);         // with the same bits
    void fill(std::uint64_t first, float* mean_cos, float* roformer);  // from float32 sums

    // Return bounds of |computed − exact| for the values of the two curves.
    double mean_cos_error() const;
    double roformer_error() const;
    double near_roformer_error() const;

  private:
    using Row = std::array<double, size>;  // s·θ of one pair, s = 0 … 63
    void turn_to(std::uint64_t first);

    std::vector<TurnRate> rates_;
    AlignedVector<Row> base_cos_, base_sin_;
    std::vector<std::uint64_t> turn_;
    AlignedVector<double> block_cos_, block_sin_;  // of first·θ
    AlignedVector<float> near_base_cos_, near_base_sin_, near_block_cos_, near_block_sin_;
};

// Return B(s) = Σ_i cos(sθ_i) and Σ_j |Σ_{i<j} e^{isθ_i}| for any real s.
BigReal cosine_sum(const FrequencyPlan& plan, const BigReal& s);
BigReal sum_of_moduli(const FrequencyPlan& plan, const BigReal& s);

enum class DecayCurve { mean_cos, roformer };

// Returns the sign of curve(s) − curve(s − 1), computed with MPFR; 0 if both are equal.
int exact_step(const FrequencyPlan& plan, DecayCurve curve, std::uint64_t s);

// A curve that should decrease rises to `at` at a distance, after `before` at the distance before.
struct Rise {
    std::uint64_t distance;
    double before, at;
};
// Returns the first rise at a distance in (falls_to, last]. `blocks` are those of the plan.
std::optional<Rise> first_rise(DecayBlocks& blocks, const FrequencyPlan& plan, DecayCurve curve,
                               std::uint64_t last, std::uint64_t falls_to = 0);

// He & Xu's property (c3), "the further apart, the less alike", read separately for each pair.

// Quantity that must advance strictly from s − 1 to s in every pair:
//   angle   sθ mod 2π increases                              (R1, their Figures 1 and 2)
//   cosine  cos(sθ) decreases                                (R2, R4)
//   modulus |cos(sθ)| decreases                              (R3)
enum class PairQuantity { angle, cosine, modulus };
inline constexpr std::pair<std::string_view, PairQuantity> pair_readings[] = {
    {"R1", PairQuantity::angle}, {"R2", PairQuantity::cosine}, {"R3", PairQuantity::modulus}};

struct FirstViolation {
    std::uint64_t distance;  // first s at which the quantity does not advance
    std::uint32_t pair;
};

// Returns the smallest violating s ≤ last over all pairs, found with exact integer phases; the
// lowest pair if several violate it.
std::optional<FirstViolation> first_violation(std::span<const TurnRate> rates,
                                              PairQuantity quantity, std::uint64_t last);
std::optional<FirstViolation> first_violation(const FrequencyPlan& plan, PairQuantity quantity,
                                              std::uint64_t last);

}  // namespace rope
