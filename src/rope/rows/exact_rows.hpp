// Rows of (cos, sin), exact or correctly rounded to a number format.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "rope/exact/format.hpp"
#include "rope/exact/memory.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

inline constexpr std::size_t tile_rows = 32;

// Exact rows of some pairs in double: |error| < cos_sin_error (kernels.hpp) at every position. A
// run of 32 positions from a multiple of 32 is computed by rotating the rows 0 … 31 (angle
// addition) by an exact row; all other positions use the polynomial.
class ExactRows {
  public:
    explicit ExactRows(std::vector<TurnRate> rates);

    std::size_t pairs() const { return rates_.size(); }

    // Writes positions × pairs values, row-major, for 1 to tile_rows positions.
    void fill(std::span<const std::uint64_t> positions, double* cos, double* sin) const;

    // Writes one row, using the polynomial.
    void fill_row(std::uint64_t position, double* cos, double* sin) const;
    // Rows 0 … 31. Rotated by the row of a multiple of 32, they become the 32 rows that begin
    // there.
    const double* base_cos() const { return base_cos_.data(); }
    const double* base_sin() const { return base_sin_.data(); }

  private:
    std::vector<TurnRate> rates_;
    std::vector<std::uint64_t> rate_high_,
        rate_low_;  // high and low words of the rates; empty if one rate is rational
    AlignedVector<double> base_cos_, base_sin_;
};

// Returns whether the positions are consecutive and begin at a multiple of 32.
bool is_aligned_run(std::span<const std::uint64_t> positions);

// Exact rows of the pairs first … first + count − 1 of a plan, and their correct rounding.
class TruthRows {
  public:
    TruthRows(const FrequencyPlan& plan, std::uint32_t first, std::uint32_t count);

    const ExactRows& exact() const { return exact_; }

    // Writes attention_factor·cos and attention_factor·sin as the nearest numbers of the format,
    // which is proved: a value within its error of a rounding boundary is computed with MPFR (Ziv's
    // test). float64 takes about 20 times as long as other formats.
    void fill_rounded(std::span<const std::uint64_t> positions, Format format, double* cos,
                      double* sin) const;

    // Does the same for one value, always with MPFR.
    void round_one(std::uint64_t position, std::size_t pair, Format format, double& cos,
                   double& sin) const;

    // Returns m·θ of one pair with an absolute error < 2^-280, reduced if θ/2π is rational.
    BigReal angle(std::uint64_t position, std::size_t pair) const;

  private:
    void fill_float64(std::span<const std::uint64_t> positions, double* cos, double* sin) const;

    std::vector<PlannedFrequency> pairs_;
    std::vector<TurnRate> rates_;
    ExactRows exact_;
    BigReal real_amplitude_;
    double amplitude_;  // rounded to double; cos_sin_error leaves room for that
};

// cos(m·θ) and sin(m·θ) of a plan, correctly rounded.
struct RotaryTable {
    std::vector<std::uint64_t> positions;
    std::uint32_t pairs = 0;
    std::vector<double> cos;  // positions × pairs, row-major, in numbers of the format
    std::vector<double> sin;
};
RotaryTable build_table(const FrequencyPlan& plan, std::vector<std::uint64_t> positions,
                        Format format);
RotaryTable build_table(const TruthRows& truth, std::vector<std::uint64_t> positions,
                        Format format);

// Exact rows at negative and fractional positions. A double is n·2^e with an integer n, and the
// angle at n·2^e is that at position n of a plan with frequencies 2^e times as high. R(−m) = R(m)ᵀ.

struct RealPosition {
    std::uint64_t whole = 0;  // n < 2^53
    int exponent = 0;         // e ≤ 0
    bool negative = false;
};

// Throws InputError unless |position| < 2^32.
RealPosition real_position(double position);

// Return a frequency, or a plan, with 2^exponent as the unit of positions; exponent ≤ 0.
PlannedFrequency in_units(PlannedFrequency frequency, int exponent);
FrequencyPlan in_units(const FrequencyPlan& plan, int exponent);

// Exact rows at any position, integer or fractional, of either sign.

class RealRows {
  public:
    // The frequencies must outlive this object; `rates` are their turn_rate().
    RealRows(std::span<const PlannedFrequency> frequencies, std::vector<TurnRate> rates);

    std::size_t pairs() const { return frequencies_.size(); }

    // Like ExactRows::fill, for |position| < 2^32.
    void fill(std::span<const double> positions, double* cos, double* sin);

  private:
    void fill_row(double position, double* cos, double* sin);
    const ExactRows& in_units(int exponent);

    std::span<const PlannedFrequency> frequencies_;
    ExactRows whole_;
    std::map<int, ExactRows> parts_;  // for each exponent of the unit
};

}  // namespace rope
