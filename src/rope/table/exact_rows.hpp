// Rows of (cos, sin): the exact ones, and those correctly rounded to a number format.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "rope/exact/phase.hpp"
#include "rope/number/format.hpp"
#include "rope/number/memory.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

inline constexpr std::size_t tile_rows = 32;

// Exact rows of some pairs, in double: |error| < cos_sin_error (kernels.hpp) at every position.
// 32 consecutive positions from a multiple of 32 are one rotation of the rows 0 … 31 (angle
// addition), restarted exactly each time; any others go through the polynomial.
class ExactRows {
  public:
    explicit ExactRows(std::vector<TurnRate> rates);

    std::size_t pairs() const { return rates_.size(); }

    // positions × pairs values, row-major. At most tile_rows positions at a time.
    void fill(std::span<const std::uint64_t> positions, double* cos, double* sin) const;

    // One row, by the polynomial.
    void fill_row(std::uint64_t position, double* cos, double* sin) const;
    // Rows 0 … 31, which that of a multiple of 32 turns into the 32 rows from there on.
    const double* base_cos() const { return base_cos_.data(); }
    const double* base_sin() const { return base_sin_.data(); }

  private:
    std::vector<TurnRate> rates_;
    std::vector<std::uint64_t> rate_high_,
        rate_low_;  // words of the rates; empty if one is rational
    AlignedVector<double> base_cos_, base_sin_;
};

// Whether these are consecutive positions from a multiple of 32.
bool is_aligned_run(std::span<const std::uint64_t> positions);

// The truth of a plan's pairs first … first + count − 1, with what it takes to round it once.
class TruthRows {
  public:
    TruthRows(const FrequencyPlan& plan, std::uint32_t first, std::uint32_t count);

    const ExactRows& exact() const { return exact_; }

    // attention_factor·cos and attention_factor·sin, each proved to be the number of the format
    // (float32, bfloat16 or float16) that is nearest to the exact value: where a value is
    // within cos_sin_error of a rounding boundary it is decided in MPFR (Ziv's test).
    void fill_rounded(std::span<const std::uint64_t> positions, Format format, double* cos,
                      double* sin) const;

    // The same for one value, always in MPFR.
    void round_one(std::uint64_t position, std::size_t pair, Format format, double& cos,
                   double& sin) const;

    // m·θ of one pair to an absolute 2^-280, less whole turns where θ/2π is rational.
    BigReal angle(std::uint64_t position, std::size_t pair) const;

  private:
    std::vector<PlannedFrequency> pairs_;
    std::vector<TurnRate> rates_;
    ExactRows exact_;
    BigReal real_amplitude_;
    double amplitude_;  // rounded, which cos_sin_error has room for
};

// cos(m·θ) and sin(m·θ) for a whole plan, correctly rounded.
struct RotaryTable {
    std::vector<std::uint64_t> positions;
    std::uint32_t pairs = 0;
    std::vector<double> cos;  // positions × pairs, row-major; every value is one of the format's
    std::vector<double> sin;
};
RotaryTable build_table(const FrequencyPlan& plan, std::vector<std::uint64_t> positions,
                        Format format);
RotaryTable build_table(const TruthRows& truth, std::vector<std::uint64_t> positions,
                        Format format);

// Positions that are negative or fractional, without rounding.
//
// A double is n·2^e with whole n, and n·2^e positions turn a pair by n times what 2^e positions do:
// the position n of a plan whose frequencies are 2^e times as fast. R(−m) = R(m)ᵀ.

struct RealPosition {
    std::uint64_t whole = 0;  // n < 2^53
    int exponent = 0;         // e ≤ 0
    bool negative = false;
};

// Throws InputError unless |position| < 2^32.
RealPosition real_position(double position);

// A frequency, and all of a plan's, with 2^exponent as the unit of positions; exponent ≤ 0.
PlannedFrequency in_units(PlannedFrequency frequency, int exponent);
FrequencyPlan in_units(const FrequencyPlan& plan, int exponent);

// Exact rows at any position: whole or fractional, of either sign.

class RealRows {
  public:
    // The frequencies must outlive it; `rates` are theirs (turn_rate).
    RealRows(std::span<const PlannedFrequency> frequencies, std::vector<TurnRate> rates);

    std::size_t pairs() const { return frequencies_.size(); }

    // As ExactRows::fill; |position| < 2^32.
    void fill(std::span<const double> positions, double* cos, double* sin);

  private:
    void fill_row(double position, double* cos, double* sin);
    const ExactRows& in_units(int exponent);

    std::span<const PlannedFrequency> frequencies_;
    ExactRows whole_;
    std::map<int, ExactRows> parts_;  // by the exponent of their unit
};

}  // namespace rope
